//! The account behind a key: its balance, its listings and its orders, and what keeps it from being read.

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_outside::{Egress, ServiceLimits};
use tradepost_adapters_price_feeds::{ListingSettings, MarketListings, OperatorKeys, Source};
use tradepost_domain::time::Timestamp;
use tradepost_fakes::{Addresses, Card, Fakes, Fault, FaultRule, Served, serve};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{ListingFeed, MarketplaceResult, OwnAccount};

use super::market::{KEY, keys, limits};
use crate::scene::{ClockOf, address_of, without_pace};

const READ: [Source; 3] = [Source::CsFloat, Source::DMarket, Source::Waxpeer];
const BALANCE: &str = "GET /account/v1/balance";

struct Account {
    fakes: Fakes,
    feed: MarketListings,
    served: Served,
}

impl Account {
    async fn of(of: Source) -> Self {
        Self::with(of, &keys(), without_pace(limits(of))).await
    }

    async fn with(of: Source, keys: &OperatorKeys, limits: ServiceLimits) -> Self {
        let fakes = Fakes::of_seed(7).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let clock = Arc::new(ClockOf(fakes.clone(), time::Duration::ZERO));
        let egress = Egress::default();
        let settings = ListingSettings { egress: &egress, address: address_of(&served, of), keys, clock };
        let feed = MarketListings::with_limits(of, settings, limits).unwrap().reading_account();
        Self { fakes, feed, served }
    }

    async fn read(&self) -> MarketplaceResult<OwnAccount> {
        self.feed.account().unwrap().own_account().await
    }

    /// Lets this happen to the next call of a route, and returns the result of the read.
    async fn read_with(&self, route: &str, fault: Fault) -> MarketplaceResult<OwnAccount> {
        self.fakes.arm(vec![FaultRule::next(route, fault)]);
        self.read().await
    }

    /// Whether every listing of the account is on sale in the world at its price. At Waxpeer, its id is that of its item.
    fn is_of_world(&self, account: &OwnAccount) -> bool {
        let world = self.fakes.simulator().world(|world| world.newest_listings(usize::MAX));
        account.listings.iter().all(|own| {
            let is_own = |id: &str| id == own.id.as_str();
            let mut of_id =
                world.iter().filter(|listing| is_own(listing.id.as_str()) || is_own(listing.asset_id.as_str()));
            of_id.any(|listing| listing.offered.price == own.price)
        })
    }
}

/// The routes of an account.
const fn routes(of: Source) -> &'static [&'static str] {
    match of {
        Source::CsFloat => &["GET /api/v1/me", "GET /api/v1/users/{id}/stall", "GET /api/v1/me/buy-orders"],
        Source::DMarket => &[BALANCE, "GET /marketplace-api/v2/user/offers", "GET /marketplace-api/v2/user/targets"],
        Source::Waxpeer => &["GET /v1/user", "GET /v1/list-items-steam", "GET /v1/buy-orders"],
        Source::Skinport | Source::MarketCsgo | Source::SteamMarket => &[],
    }
}

#[tokio::test]
async fn the_balance_all_listings_and_all_open_orders_are_read_page_by_page() {
    for of in READ {
        let market = Account::of(of).await;
        let account = market.read().await.unwrap();
        let seen = account.seen(Timestamp::MIN);
        assert_eq!((seen.balance.get(), seen.orders), (12_345, 7), "{of:?}");
        assert!(account.listings.len() > 5 && market.is_of_world(&account), "{of:?}: {account:?}");
        assert!(account.orders.iter().all(|order| order.quantity == 2 && order.market_hash_name.is_some()));
        assert_eq!(market.feed.new_shapes(), Vec::<String>::new(), "{of:?}");
        let ledger = market.fakes.ledger();
        assert!(ledger.iter().all(|entry| routes(of).contains(&entry.route.as_str()) && entry.card.is_some()));
        assert!(!format!("{ledger:?} {:?}", market.feed).contains(KEY), "no key is in a log");
    }
}

#[tokio::test]
async fn a_part_that_is_not_read_leaves_nothing_of_the_account_and_the_next_read_works() {
    for of in READ {
        for route in routes(of) {
            for fault in [Fault::F05 { status: 503 }, Fault::Drift, Fault::F10] {
                let market = Account::of(of).await;
                let failed = market.read_with(route, fault.clone()).await;
                // The facade of DMarket has nothing of a balance to change.
                let is_unchanged = *route == BALANCE && fault == Fault::Drift;
                assert!(failed.is_err() || is_unchanged, "{route} {fault:?}: {failed:?}");
                market.fakes.arm(Vec::new());
                market.fakes.advance(time::Duration::minutes(5));
                let next = market.read().await;
                assert!(next.is_ok(), "{route} {fault:?}: {next:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_rejected_key_is_a_lost_session_and_a_limit_is_waited_for() {
    for of in READ {
        let market = Account::of(of).await;
        for route in routes(of) {
            let rejected = market.read_with(route, Fault::F10).await;
            assert!(matches!(rejected, Err(ExternalError::AuthLost { .. })), "{route}: {rejected:?}");
            market.fakes.advance(time::Duration::minutes(5));
        }
        let limited = market.read_with(routes(of)[0], Fault::F01 { retry_after_seconds: 7 }).await;
        let expected = Duration::from_secs(7);
        assert!(matches!(limited, Err(ExternalError::RateLimited { retry_after, .. }) if retry_after >= expected));
    }
}

#[tokio::test]
async fn an_account_is_read_only_where_the_operator_permits_it_and_the_marketplace_shows_it() {
    for of in Source::LISTED {
        let market = Account::of(of).await;
        assert_eq!(market.feed.account().is_some(), READ.contains(&of), "{of:?}");
        let without_key = Account::with(of, &OperatorKeys::default(), limits(of)).await;
        assert!(without_key.feed.account().is_none(), "{of:?}");
        let (egress, keys) = (Egress::default(), keys());
        let clock = Arc::new(ClockOf(market.fakes.clone(), time::Duration::ZERO));
        let settings = ListingSettings { egress: &egress, address: address_of(&market.served, of), keys: &keys, clock };
        assert!(MarketListings::new(of, settings).unwrap().account().is_none(), "it is not permitted");
        assert!(market.fakes.ledger().is_empty());
    }
}

#[tokio::test]
async fn every_sample_of_every_card_of_an_account_is_read() {
    for of in READ {
        let cards: Vec<_> = Account::of(of).await.fakes.facts().cards().cloned().collect();
        let is_of_account = |card: &&Card| routes(of).contains(&card.route.as_str()) && card.status == 200;
        let mut samples = 0;
        for card in cards.iter().filter(is_of_account) {
            for number in 0..card.samples.len() {
                let market = Account::of(of).await;
                let read = market.read_with(&card.route, Fault::Sample { card: card.id.clone(), number }).await;
                assert!(read.is_ok(), "{} {number}: {read:?}", card.id);
                assert_eq!(market.feed.new_shapes(), Vec::<String>::new(), "{} is known", card.id);
                samples += 1;
            }
        }
        assert!(samples > routes(of).len(), "{of:?}");
    }
}
