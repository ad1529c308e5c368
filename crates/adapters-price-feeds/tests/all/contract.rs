//! The contract of a source of prices, and the list of the world that is behind the facades.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_adapters_price_feeds::Source;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::price_source::PriceSource;
use tradepost_testkit::external::price_source::PriceSourceFixture;

use crate::scene::Scene;

#[async_trait]
impl PriceSourceFixture for Scene {
    fn source(&self) -> &dyn PriceSource {
        self.prices.as_ref()
    }

    async fn now(&self) -> Timestamp {
        self.fakes.now()
    }

    async fn pass_an_hour(&self) {
        self.fakes.advance(time::Duration::hours(1));
    }
}

async fn the_quotes_are_the_lowest_asks_of_the_world_by_name(source: Source) {
    let scene = Scene::unpaced(source).await;
    let index = scene.fakes.simulator().prices(Marketplace::new("index").unwrap());
    let mut lowest = BTreeMap::new();
    for known in index.quotes().await.unwrap() {
        let ask = known.quote.lowest_ask.unwrap();
        let kept = lowest.entry(known.variant.market_hash_name).or_insert(ask);
        *kept = ask.min(*kept);
    }
    let quotes = scene.read().await.unwrap();
    assert!(quotes.iter().all(|quote| quote.quote.source.as_str() == source.name()));
    let of_name = |quote: tradepost_ports::price_source::VariantQuote| {
        (quote.variant.market_hash_name, quote.quote.lowest_ask.unwrap())
    };
    let read: BTreeMap<_, _> = quotes.into_iter().map(of_name).collect();
    assert_eq!(read, lowest);
}

async fn every_call_says_who_calls_and_is_answered_as_a_card_describes(source: Source) {
    let scene = Scene::unpaced(source).await;
    scene.read().await.unwrap();
    for entry in scene.fakes.ledger() {
        assert!([Some(scene.route()), scene.bid_route()].contains(&Some(entry.route.as_str())), "{}", entry.route);
        assert_eq!(entry.status, 200);
        assert!(entry.user_agent.starts_with("tradepost/"), "{}", entry.user_agent);
        assert!(entry.card.is_some_and(|card| card.starts_with(source.name())));
    }
}

/// What a test of a provider reads is one call.
async fn a_sample_is_one_call_and_takes_nothing_from_the_next_read(source: Source) {
    let scene = Scene::unpaced(source).await;
    let usual = scene.read().await.unwrap();
    let calls = scene.fakes.ledger().len();
    assert!(!scene.prices.sample().await.unwrap().is_empty());
    assert_eq!(scene.fakes.ledger().len(), calls + 1);
    let (mut next, mut of_another) = (scene.read().await.unwrap(), scene.read().await.unwrap());
    next.append(&mut of_another);
    assert!(usual.iter().all(|quote| next.contains(quote)));
}

macro_rules! contract_of {
    ($module:ident, $source:expr) => {
        mod $module {
            use tradepost_adapters_price_feeds::Source;

            use crate::scene::Scene;

            tradepost_testkit::price_source_contract!(Scene::unpaced($source).await);

            #[tokio::test]
            async fn the_quotes_are_the_lowest_asks_of_the_world_by_name() {
                super::the_quotes_are_the_lowest_asks_of_the_world_by_name($source).await;
            }

            #[tokio::test]
            async fn every_call_says_who_calls_and_is_answered_as_a_card_describes() {
                super::every_call_says_who_calls_and_is_answered_as_a_card_describes($source).await;
            }

            #[tokio::test]
            async fn a_sample_is_one_call_and_takes_nothing_from_the_next_read() {
                super::a_sample_is_one_call_and_takes_nothing_from_the_next_read($source).await;
            }
        }
    };
}

contract_of!(skinport, Source::Skinport);
contract_of!(market_csgo, Source::MarketCsgo);
contract_of!(waxpeer, Source::Waxpeer);
contract_of!(csfloat, Source::CsFloat);
contract_of!(dmarket, Source::DMarket);
contract_of!(steam_market, Source::SteamMarket);

#[tokio::test]
async fn a_read_of_a_list_is_one_request_with_the_query_of_its_service_and_one_for_a_list_of_bids() {
    let expected: [(Source, &[&str]); 4] = [
        (Source::Skinport, &["app_id=730&currency=USD&tradable=0"]),
        (Source::MarketCsgo, &["", ""]),
        (Source::Waxpeer, &["game=csgo&minified=0", "game=csgo"]),
        (Source::CsFloat, &[""]),
    ];
    for (source, asked) in expected {
        let scene = Scene::unpaced(source).await;
        scene.read().await.unwrap();
        let queries: Vec<String> = scene.fakes.ledger().into_iter().map(|entry| entry.query).collect();
        assert_eq!(queries, asked, "{source:?}");
    }
}
