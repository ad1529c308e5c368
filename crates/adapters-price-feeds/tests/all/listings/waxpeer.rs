//! What is Waxpeer's alone: names in turn, two forms of their listings, and prices with a part of a cent.

use tradepost_adapters_price_feeds::Source;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::marketplace::ListingFeed as _;

use super::market::{Market, Read, WAXPEER_AGAIN, WAXPEER_NEWEST, WAXPEER_OF_NAMES};

#[tokio::test]
async fn names_have_turns_and_after_all_of_them_the_highest_discounts_have_one() {
    let market = Market::new(Source::Waxpeer).await;
    assert!(market.feed.watches());
    let names: Vec<_> = (0..30).map(|number| MarketHashName::new(&format!("Name {number}")).unwrap()).collect();
    market.feed.watch(&names);
    for _ in 0..4 {
        market.feed.newest().await.unwrap();
    }
    let routes: Vec<String> = market.asked().into_iter().map(|(route, _)| route).collect();
    let (of_names, discounts) = (WAXPEER_OF_NAMES.route, WAXPEER_NEWEST.route);
    assert_eq!(routes, [of_names, of_names, discounts, of_names]);
}

#[tokio::test]
async fn queries_name_the_game_and_the_key_which_no_record_shows() {
    let market = Market::new(Source::Waxpeer).await;
    market.read(Read::Newest).await.unwrap();
    market.read(Read::Again).await.unwrap();
    market.feed.watch(&market.names());
    market.feed.newest().await.unwrap();
    let asked = |route: &str, query: &str| (route.to_owned(), query.to_owned());
    let item = format!("api=redacted&item_id={}", market.first.id);
    let expected = [
        asked(WAXPEER_NEWEST.route, "api=redacted&game=csgo&skip=0&order=DESC&order_by=discount"),
        asked(WAXPEER_AGAIN.route, &item),
        asked(WAXPEER_OF_NAMES.route, "api=redacted&game=csgo"),
    ];
    assert_eq!(market.asked(), expected);
}

#[tokio::test]
async fn names_of_which_nothing_is_on_sale_have_no_listings() {
    let market = Market::new(Source::Waxpeer).await;
    market.feed.watch(&[MarketHashName::new("Sticker | Sold Out").unwrap()]);
    assert_eq!(market.feed.newest().await, Ok(Vec::new()));
    assert_eq!(market.calls(WAXPEER_OF_NAMES.route), 1);
}

#[tokio::test]
async fn both_forms_of_the_listings_of_names_are_read() {
    let market = Market::new(Source::Waxpeer).await;
    for _ in 0..2 {
        market.read(Read::OfNames).await.unwrap();
        market.fakes.advance(time::Duration::hours(1));
    }
    let cards: Vec<_> = market.fakes.ledger().into_iter().filter_map(|entry| entry.card).collect();
    assert!(["flat", "nested"].iter().all(|form| cards.contains(&format!("waxpeer.mass-info.{form}"))), "{cards:?}");
}
