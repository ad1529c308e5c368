//! The contract of a source of prices, and the list of the world that is behind the facade.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::price_source::PriceSource;
use tradepost_testkit::external::price_source::PriceSourceFixture;

use super::{ITEMS, Scene};

#[async_trait]
impl PriceSourceFixture for Scene {
    fn source(&self) -> &dyn PriceSource {
        &self.prices
    }

    async fn now(&self) -> Timestamp {
        self.fakes.now()
    }

    async fn pass_an_hour(&self) {
        self.fakes.advance(time::Duration::hours(1));
    }
}

tradepost_testkit::price_source_contract!(Scene::new().await);

#[tokio::test]
async fn the_quotes_are_the_lowest_asks_of_the_world_by_name() {
    let scene = Scene::new().await;
    let index = scene.fakes.simulator().prices(Marketplace::new("index").unwrap());
    let mut lowest = BTreeMap::new();
    for known in index.quotes().await.unwrap() {
        let ask = known.quote.lowest_ask.unwrap();
        let kept = lowest.entry(known.variant.market_hash_name).or_insert(ask);
        *kept = ask.min(*kept);
    }
    let read: BTreeMap<_, _> = scene
        .read()
        .await
        .unwrap()
        .into_iter()
        .map(|quote| (quote.variant.market_hash_name, quote.quote.lowest_ask.unwrap()))
        .collect();
    assert_eq!(read, lowest);
}

#[tokio::test]
async fn a_read_is_one_request_that_names_the_game_and_the_currency() {
    let scene = Scene::new().await;
    scene.read().await.unwrap();
    let ledger = scene.fakes.ledger();
    let [entry] = ledger.as_slice() else { panic!("{ledger:?}") };
    assert_eq!((entry.route.as_str(), entry.status), (ITEMS, 200));
    assert_eq!(entry.query, "app_id=730&currency=USD&tradable=0");
    assert!(entry.user_agent.starts_with("tradepost/"), "{}", entry.user_agent);
}
