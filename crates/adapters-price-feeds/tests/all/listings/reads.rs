//! What each feed reads: the listings of the world, their prices after they changed, and one that was sold.

use tradepost_adapters_price_feeds::{OperatorKeys, Source};
use tradepost_domain::text::ExternalId;
use tradepost_fakes::Fakes;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{
    ListingFeed as _, ListingStatus, MarketListing, MarketplaceRefusal, MarketplaceResult, SoughtListing,
};

use super::market::{CASES, Failure, KEY, Market, Read, as_shown, by_id, keys, sought};

fn other(text: &str) -> Failure {
    ExternalError::Rejected(MarketplaceRefusal::Other(text.to_owned()))
}

fn rejected(refusal: MarketplaceRefusal) -> MarketplaceResult<MarketListing> {
    Err(ExternalError::Rejected(refusal))
}

#[tokio::test]
async fn the_listings_of_the_market_are_read_as_each_marketplace_shows_them_and_an_hour_later_too() {
    for case in CASES.into_iter().filter(|case| case.read != Read::Again) {
        let market = Market::new(case.of).await;
        for _ in 0..2 {
            let expected = market.expected(case.read);
            assert!(expected.len() > 10);
            assert_eq!(by_id(market.read(case.read).await.unwrap()), expected, "{case:?}");
            market.fakes.advance(time::Duration::hours(1));
        }
        assert_eq!(market.feed.new_shapes(), Vec::<String>::new(), "{case:?}");
    }
}

#[tokio::test]
async fn the_newest_come_first_where_the_marketplace_has_an_order_by_time() {
    for of in [Source::CsFloat, Source::DMarket] {
        let market = Market::new(of).await;
        let read = market.feed.newest().await.unwrap();
        let newest = market.world().into_iter().take(read.len()).map(|listing| as_shown(of, Read::Newest, listing));
        assert_eq!(read, newest.collect::<Vec<_>>(), "{of:?}");
    }
}

#[tokio::test]
async fn a_listing_is_read_again_while_it_is_on_sale_and_its_end_is_seen() {
    for of in Source::LISTED {
        let market = Market::new(of).await;
        let on_sale = as_shown(of, Read::Again, market.world().remove(0));
        assert_eq!(market.feed.listing(&market.first).await, Ok(on_sale.clone()), "{of:?}");
        market.fakes.advance(time::Duration::hours(14));
        let ended = market.feed.listing(&market.first).await;
        match of {
            Source::CsFloat => {
                let ended = ended.unwrap();
                assert_eq!((ended.status, ended.id), (ListingStatus::Sold, on_sale.id));
            }
            Source::DMarket | Source::MarketCsgo => assert_eq!(ended, rejected(MarketplaceRefusal::NotFound)),
            Source::Waxpeer | Source::Skinport | Source::SteamMarket => {
                assert_eq!(ended, rejected(MarketplaceRefusal::SoldAlready));
            }
        }
    }
}

#[tokio::test]
async fn a_listing_that_costs_another_price_by_now_has_the_new_one() {
    for of in Source::LISTED {
        let market = Market::new(of).await;
        let before = market.world();
        let price_before = |listing: &MarketListing| {
            before.iter().find(|known| known.id == listing.id).map(|known| known.offered.price)
        };
        let is_repriced =
            |listing: &MarketListing| price_before(listing).is_some_and(|price| price != listing.offered.price);
        let mut repriced = None;
        for _ in 0..12 {
            market.fakes.advance(time::Duration::minutes(30));
            repriced = repriced.or_else(|| market.world().into_iter().find(is_repriced));
            if repriced.is_some() {
                break;
            }
        }
        let now = as_shown(of, Read::Again, repriced.unwrap());
        let read = market.feed.listing(&sought(&now)).await.unwrap();
        assert_eq!((read.id, read.offered.price), (now.id, now.offered.price), "{of:?}");
    }
}

#[tokio::test]
async fn a_listing_that_is_not_known_is_not_on_sale() {
    for of in Source::LISTED {
        let market = Market::new(of).await;
        let unknown = SoughtListing { id: ExternalId::new("7").unwrap(), ..market.first.clone() };
        let refusal =
            if of == Source::Waxpeer { MarketplaceRefusal::SoldAlready } else { MarketplaceRefusal::NotFound };
        assert_eq!(market.feed.listing(&unknown).await, rejected(refusal), "{of:?}");
        assert!(market.feed.listing(&market.first).await.is_ok());
    }
}

#[tokio::test]
async fn a_call_says_who_calls_and_no_key_is_in_a_log() {
    for case in CASES {
        let market = Market::new(case.of).await;
        market.read(case.read).await.unwrap();
        let ledger = market.fakes.ledger();
        assert_eq!(market.calls(case.route), 1, "{case:?}");
        assert!(ledger.iter().all(|entry| entry.user_agent.starts_with("tradepost/")), "{case:?}");
        assert!(ledger.iter().all(|entry| entry.card.is_some()), "{case:?}");
        let text = format!("{ledger:?} {:?}", market.feed);
        assert!(!text.contains(KEY) && !text.contains(Fakes::dmarket_key().split_at(64).0), "{case:?}");
        assert_eq!(market.fakes.shown_keys(), usize::from(case.of != Source::DMarket), "{case:?}");
    }
}

#[tokio::test]
async fn a_feed_without_a_key_makes_no_call() {
    for case in CASES {
        let market = Market::with(case.of, &OperatorKeys::default(), time::Duration::ZERO).await;
        let setting = case.of.name().replace('-', "_");
        let text = format!("it is not called: the setting outside.keys.{setting} is missing");
        assert_eq!(market.feed.ready().unwrap_err().to_string(), text);
        assert_eq!(market.read(case.read).await, Err(other(&text)));
        assert!(market.fakes.ledger().is_empty());
    }
    let of_another = OperatorKeys { csfloat: None, ..keys() };
    let market = Market::with(Source::CsFloat, &of_another, time::Duration::ZERO).await;
    assert!(market.feed.ready().is_err(), "a key of another marketplace is none");
}
