//! What is market.csgo.com's alone: names in turn, a usual name where there are none, and the key in the query.

use tradepost_adapters_price_feeds::Source;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::marketplace::ListingFeed as _;

use super::market::{MARKET_CSGO_AGAIN, MARKET_CSGO_OF_NAMES, Market, Read};

/// The names of a question.
fn names_in(query: &str) -> usize {
    query.matches("list_hash_name").count()
}

#[tokio::test]
async fn names_have_turns_of_twenty() {
    let market = Market::new(Source::MarketCsgo).await;
    assert!(market.feed.watches());
    let names: Vec<_> = (0..30).map(|number| MarketHashName::new(&format!("Name {number}")).unwrap()).collect();
    market.feed.watch(&names);
    market.feed.newest().await.unwrap();
    market.feed.newest().await.unwrap();
    let queries: Vec<String> = market.asked().into_iter().map(|(_, query)| query).collect();
    assert_eq!(queries.iter().map(|query| names_in(query)).collect::<Vec<_>>(), [20, 20]);
    for number in 0..30 {
        let end = format!("=Name+{number}");
        let mut parts = queries.iter().flat_map(|query| query.split('&'));
        assert!(parts.any(|part| part.ends_with(&end)), "{end}: {queries:?}");
    }
}

#[tokio::test]
async fn without_names_a_usual_one_is_asked_for_so_that_a_test_shows_whether_the_key_works() {
    let market = Market::new(Source::MarketCsgo).await;
    market.feed.newest().await.unwrap();
    let asked = market.asked();
    let [(route, query)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!((route.as_str(), names_in(query)), (MARKET_CSGO_OF_NAMES.route, 1));
}

#[tokio::test]
async fn queries_begin_with_the_key_which_no_record_shows() {
    let market = Market::new(Source::MarketCsgo).await;
    market.read(Read::OfNames).await.unwrap();
    market.read(Read::Again).await.unwrap();
    let asked = market.asked();
    let [(of_names, names), (of_name, name)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!((of_names.as_str(), of_name.as_str()), (MARKET_CSGO_OF_NAMES.route, MARKET_CSGO_AGAIN.route));
    assert!(names.starts_with("key=redacted&list_hash_name"), "{names}");
    assert!(name.starts_with("key=redacted&hash_name="), "{name}");
}

#[tokio::test]
async fn names_of_which_nothing_is_on_sale_have_no_listings() {
    let market = Market::new(Source::MarketCsgo).await;
    market.feed.watch(&[MarketHashName::new("Sticker | Sold Out").unwrap()]);
    assert_eq!(market.feed.newest().await, Ok(Vec::new()));
    assert_eq!(market.calls(MARKET_CSGO_OF_NAMES.route), 1);
}
