//! Recording what was seen, and reading it.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::id::Id;
use tradepost_domain::markets::observation::{Outcome, Rejection};
use tradepost_domain::markets::price_history::Bucket;
use tradepost_domain::transition::Actor;
use tradepost_operations::accounts::RevokeApiKey;
use tradepost_operations::contracts::SampleListing;
use tradepost_operations::markets::{
    CountMarketObservations, GetMarketObservation, GetMarketObservations, GetOrderBook, ListMarketObservations,
    ListPriceHistory, ListVariants, ObservedListing, RecordMarketObservations, SightingOutcome,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::limiter::RateClass;
use tradepost_ports::record::Kind;
use tradepost_testkit::fakes::ScriptedLimiter;
use tradepost_testkit::samples::text;

use super::{Market, REDLINE, elsewhere, named, reported};
use crate::harness::{World, refusal};

impl Market {
    async fn record(&self, observations: Vec<ObservedListing>) -> OpResult<Vec<(SightingOutcome, String)>> {
        let command = RecordMarketObservations { workspace_id: self.world.workspace_id, observations };
        self.world.operations.record_market_observations(&self.watcher, command).await
    }

    fn list(&self) -> ListMarketObservations {
        ListMarketObservations {
            workspace_id: self.world.workspace_id,
            limit: 0,
            cursor: String::new(),
            marketplace: String::new(),
            market_hash_name: String::new(),
            since: None,
        }
    }

    fn history(&self) -> ListPriceHistory {
        ListPriceHistory {
            workspace_id: self.world.workspace_id,
            variant: named(REDLINE),
            marketplace: String::new(),
            bucket: None,
            from: None,
            to: None,
        }
    }
}

#[tokio::test]
async fn each_observation_is_answered_by_itself() {
    let market = Market::open().await;
    let now = market.world.clock.now();
    let at = |minutes, listing: ObservedListing| ObservedListing {
        observed_at: Some(now.plus(Duration::minutes(minutes))),
        ..listing
    };
    let answers = market
        .record(vec![
            at(0, reported("one", 100)),
            at(0, reported("one", 100)),
            at(-1, reported("one", 90)),
            reported("", 100),
            reported("two", 0),
            at(6, reported("three", 1)),
            at(-7 * 24 * 60 - 1, reported("four", 1)),
        ])
        .await
        .unwrap();
    let reasons: Vec<_> = answers.iter().map(|(answer, _)| (answer.outcome, answer.rejection)).collect();
    let rejected = |why| (Outcome::Rejected, Some(why));
    assert_eq!(
        reasons,
        [
            (Outcome::Duplicate, None),
            (Outcome::Accepted, None),
            rejected(Rejection::Outdated),
            rejected(Rejection::Malformed),
            rejected(Rejection::NoPrice),
            rejected(Rejection::InFuture),
            rejected(Rejection::TooOld),
        ]
    );
    assert_eq!(answers[0].0.observation_id, answers[1].0.observation_id);
    assert_eq!(answers[3].1, "listingId must not be empty");
    assert!(answers.iter().all(|(answer, message)| answer.rejection.is_some() || message.is_empty()));
    let again = market.record(vec![at(0, reported("one", 100))]).await.unwrap();
    assert_eq!(again[0].0, SightingOutcome { outcome: Outcome::Duplicate, ..answers[1].0 });
}

#[tokio::test]
async fn an_observation_says_what_was_seen_and_who_recorded_it() {
    let market = Market::open().await;
    let whole = ObservedListing {
        asset_id: "27348562871".to_owned(),
        app_id: 440,
        listing: SampleListing { seller_success_bps: Some(9_900), ..reported("one", 100).listing },
        ..reported("one", 100)
    };
    let recorded = market.record(vec![whole]).await.unwrap();
    let (workspace_id, observation_id) = (market.world.workspace_id, recorded[0].0.observation_id.unwrap());
    let get = GetMarketObservation { workspace_id, observation_id };
    let found = market.world.operations.get_market_observation(&market.watcher, get).await.unwrap();
    assert_eq!(found.snapshot.listing.variant.app_id, AppId::new(440).unwrap());
    assert_eq!(found.snapshot.listing.seller_success.map(BasisPoints::get), Some(9_900));
    assert_eq!(found.snapshot.observed_at, market.world.clock.now());
    assert!(matches!(found.recorded_by, Actor::ApiKey { .. }), "{:?}", found.recorded_by);
    let unknown = Id::from_bytes([9; 16]);
    let get = GetMarketObservation { workspace_id, observation_id: unknown };
    let refused = market.world.operations.get_market_observation(&market.watcher, get).await;
    assert_eq!(refusal(refused), (Code::NotFound, "NOT_FOUND"));
    let several = GetMarketObservations { workspace_id, observation_ids: vec![unknown, observation_id, unknown] };
    let several = market.world.operations.get_market_observations(&market.watcher, several).await.unwrap();
    assert_eq!((several.found, several.missing), (vec![found], vec![unknown]));
}

#[tokio::test]
async fn one_to_500_are_recorded_at_once_and_each_is_charged() {
    let limiter = Arc::new(ScriptedLimiter::allowing(RateClass::Observation, 300));
    let world = World::with(|ports| ports.limiter = Arc::clone(&limiter) as _).await;
    let watcher = world.key(PolicySet::of(&[Policy::Markets])).await;
    let record = async |many: usize| {
        let observations = (0..many).map(|number| reported(&format!("listing-{number}"), 1)).collect();
        let command = RecordMarketObservations { workspace_id: world.workspace_id, observations };
        world.operations.record_market_observations(&watcher, command).await
    };
    assert_eq!(refusal(record(0).await), (Code::InvalidArgument, "INVALID_FIELD"));
    assert_eq!(refusal(record(501).await), (Code::InvalidArgument, "INVALID_FIELD"));
    // The call itself is charged before, as the first.
    assert_eq!(record(301).await.unwrap().len(), 301);
    assert_eq!(refusal(record(2).await), (Code::ResourceExhausted, "RATE_LIMITED"));
    assert_eq!(record(1).await.unwrap().len(), 1);
}

#[tokio::test]
async fn any_number_of_sightings_are_recorded_by_the_process_itself() {
    let market = Market::open().await;
    let seen: Vec<_> = (0..1_201).map(|price| market.seen(1 + price)).collect();
    let outcomes =
        market.world.operations.record_listings(&Caller::system(), market.world.workspace_id, seen).await.unwrap();
    assert_eq!(outcomes.len(), 1_201);
    assert!(outcomes.iter().all(|outcome| outcome.outcome == Outcome::Accepted));
}

#[tokio::test]
async fn a_key_that_was_revoked_in_the_meantime_records_nothing() {
    let market = Market::open().await;
    let guard = market.watcher.guards.iter().find(|guard| guard.address.kind == Kind::ApiKey).unwrap();
    let command = RevokeApiKey {
        api_key_id: Id::from_bytes(guard.address.key),
        workspace_id: Some(market.world.workspace_id),
        reason: None,
    };
    market.world.operations.revoke_api_key(&Caller::system(), command).await.unwrap();
    let refused = market.record(vec![reported("one", 1)]).await;
    assert_eq!(refusal(refused), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn observations_are_listed_and_counted() {
    let market = Market::open().await;
    let (on, workspace_id) = (&market.world.operations, market.world.workspace_id);
    market.world.advance(Duration::hours(2));
    market
        .record(vec![reported("one", 1), ObservedListing { marketplace: "elsewhere".to_owned(), ..reported("two", 2) }])
        .await
        .unwrap();
    let list = async |change: fn(&mut ListMarketObservations)| {
        let mut command = market.list();
        change(&mut command);
        on.list_market_observations(&market.watcher, command).await
    };
    let all = list(|_| ()).await.unwrap();
    assert_eq!((all.entries.len(), all.next_cursor.as_str()), (2, ""));
    let here = list(|command| command.marketplace = "elsewhere".to_owned()).await.unwrap();
    assert_eq!(here.entries.len(), 1);
    let named = list(|command| command.market_hash_name = "AWP | Asiimov (Field-Tested)".to_owned()).await.unwrap();
    assert_eq!(named.entries, []);
    let page = list(|command| command.limit = 1).await.unwrap();
    let elsewhere =
        ListMarketObservations { cursor: page.next_cursor.clone(), marketplace: "example".to_owned(), ..market.list() };
    let refused = on.list_market_observations(&market.watcher, elsewhere).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_CURSOR"));
    let next = ListMarketObservations { cursor: page.next_cursor, ..market.list() };
    let next = on.list_market_observations(&market.watcher, next).await.unwrap();
    assert_eq!([page.entries, next.entries].concat(), all.entries);
    let count = async |since| {
        on.count_market_observations(&market.watcher, CountMarketObservations { workspace_id, since }).await.unwrap()
    };
    let each = vec![(text("elsewhere"), 1), (text("example"), 1)];
    assert_eq!(count(None).await, each);
    assert_eq!(count(Some(market.world.clock.now())).await, each);
    assert_eq!(count(Some(market.world.clock.now().plus(Duration::hours(1)))).await, []);
}

#[tokio::test]
async fn an_order_book_shows_what_was_seen_in_the_last_15_minutes() {
    let market = Market::open().await;
    let (on, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let (expensive, cheap) = (market.seen(300), market.seen(100));
    on.record_listings(&market.watcher, workspace_id, vec![expensive.clone(), elsewhere(cheap)]).await.unwrap();
    market.world.advance(Duration::minutes(10));
    on.record_listings(&market.watcher, workspace_id, vec![market.again(&expensive, 300)]).await.unwrap();
    let prices = async || {
        let command = GetOrderBook { workspace_id, variant: named(REDLINE) };
        let book = on.get_order_book(&market.watcher, command).await.unwrap();
        book.asks.into_iter().map(|ask| ask.price.get()).collect::<Vec<_>>()
    };
    assert_eq!(prices().await, [100, 300]);
    market.world.advance(Duration::minutes(6));
    assert_eq!(prices().await, [300]);
    market.world.advance(Duration::minutes(10));
    assert_eq!(prices().await, []);
}

#[tokio::test]
async fn names_that_were_observed_are_listed_by_their_beginning() {
    let market = Market::open().await;
    let (on, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let seen = market.seen(100);
    let name = seen.listing.variant.market_hash_name.to_string();
    on.record_listings(&market.watcher, workspace_id, vec![seen]).await.unwrap();
    let list = async |prefix: &str| {
        let command = ListVariants { workspace_id, prefix: prefix.to_owned(), limit: 0 };
        let found = on.list_variants(&market.watcher, command).await.unwrap();
        assert!(!found.truncated);
        found.names.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for prefix in ["", &name.to_ascii_lowercase(), &name.to_ascii_uppercase()] {
        assert_eq!(list(prefix).await, [name.as_str()]);
    }
    assert_eq!(list("zzz").await, Vec::<String>::new());
    for (prefix, limit) in [("x".repeat(101), 0), ("a".to_owned(), -1)] {
        let refused = on.list_variants(&market.watcher, ListVariants { workspace_id, prefix, limit }).await;
        assert_eq!(refused.unwrap_err().code, Code::InvalidArgument);
    }
}

#[tokio::test]
async fn a_history_is_returned_by_hours_and_days() {
    let market = Market::open().await;
    let (on, workspace_id) = (&market.world.operations, market.world.workspace_id);
    for price in [100, 300, 200] {
        on.record_listings(&market.watcher, workspace_id, vec![market.seen(price)]).await.unwrap();
        market.world.advance(Duration::minutes(40));
    }
    on.record_listings(&market.watcher, workspace_id, vec![elsewhere(market.seen(50))]).await.unwrap();
    let points = async |command: ListPriceHistory| {
        let points = on.list_price_history(&market.watcher, command).await.unwrap();
        let short = points.into_iter().map(|point| {
            let candle = point.candle;
            (candle.open.price.get(), candle.high.get(), candle.low.get(), candle.close.price.get(), candle.count)
        });
        short.collect::<Vec<_>>()
    };
    assert_eq!(points(market.history()).await, [(100, 300, 100, 300, 2), (200, 200, 200, 200, 1), (50, 50, 50, 50, 1)]);
    let day = ListPriceHistory { bucket: Some(Bucket::Day), ..market.history() };
    assert_eq!(points(day.clone()).await, [(100, 300, 50, 50, 4)]);
    let here = ListPriceHistory { marketplace: "example".to_owned(), ..day.clone() };
    assert_eq!(points(here).await, [(100, 300, 100, 200, 3)]);
    let now = market.world.clock.now();
    let span =
        |hours| ListPriceHistory { from: Some(now.plus(-Duration::hours(hours))), to: Some(now), ..market.history() };
    assert_eq!(points(span(999)).await.len(), 3);
    for refused in [span(1_000), span(-1)] {
        let refused = on.list_price_history(&market.watcher, refused).await;
        assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
    }
}

#[tokio::test]
async fn what_is_older_than_seven_days_is_forgotten() {
    let market = Market::open().await;
    let (on, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let first = market.seen(100);
    let seen: Vec<_> = (0..700).map(|_| market.seen(5)).chain([first.clone()]).collect();
    on.record_listings(&market.watcher, workspace_id, seen).await.unwrap();
    market.world.advance(Duration::days(7));
    on.record_listings(&market.watcher, workspace_id, vec![market.again(&first, 100)]).await.unwrap();
    assert_eq!(on.forget_old_observations().await.unwrap(), 0);
    market.world.advance(Duration::hours(1));
    assert_eq!(on.forget_old_observations().await.unwrap(), 701);
    assert_eq!(on.list_market_observations(&market.watcher, market.list()).await.unwrap().entries.len(), 1);
}
