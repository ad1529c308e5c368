//! What is `CSFloat`'s alone: two forms of an answer, ids in a path, and headers that show what is left of a limit.

use std::time::Duration;

use tradepost_adapters_price_feeds::Source;
use tradepost_domain::text::ExternalId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{ListingFeed as _, MarketplaceRefusal, SoughtListing};

use super::market::{CSFLOAT_AGAIN, CSFLOAT_NEWEST, Market, Read};
use crate::scene::wait;

#[tokio::test]
async fn both_forms_of_the_answer_are_read() {
    let market = Market::new(Source::CsFloat).await;
    for _ in 0..2 {
        market.feed.newest().await.unwrap();
        market.fakes.advance(time::Duration::hours(1));
    }
    let cards: Vec<_> = market.fakes.ledger().into_iter().filter_map(|entry| entry.card).collect();
    assert!(["bare", "data"].iter().all(|form| cards.contains(&format!("csfloat.listings.{form}"))), "{cards:?}");
}

#[tokio::test]
async fn the_newest_are_asked_for_without_auctions_and_one_by_its_id() {
    let market = Market::new(Source::CsFloat).await;
    market.read(Read::Newest).await.unwrap();
    market.read(Read::Again).await.unwrap();
    let query = "limit=50&sort_by=most_recent&type=buy_now".to_owned();
    let again = (CSFLOAT_AGAIN.route.to_owned(), String::new());
    assert_eq!(market.asked(), [(CSFLOAT_NEWEST.route.to_owned(), query), again]);
}

#[tokio::test]
async fn a_text_that_cannot_be_an_id_is_not_asked_for() {
    let market = Market::new(Source::CsFloat).await;
    for text in ["../me", "price-list?x=1", "1/2", "é"] {
        let sought = SoughtListing { id: ExternalId::new(text).unwrap(), ..market.first.clone() };
        let failed = market.feed.listing(&sought).await.unwrap_err();
        assert!(matches!(failed, ExternalError::Rejected(MarketplaceRefusal::Other(_))), "{failed:?}");
    }
    assert!(market.fakes.ledger().is_empty());
}

#[tokio::test]
async fn headers_that_show_no_call_left_are_obeyed_before_a_call_is_refused() {
    let market = Market::new(Source::CsFloat).await;
    for _ in 0..4 {
        market.read(Read::Newest).await.unwrap();
        market.read(Read::Again).await.unwrap();
    }
    assert!(matches!(market.read(Read::Newest).await, Err(ExternalError::RateLimited { .. })));
    let statuses: Vec<u16> = market.fakes.ledger().iter().map(|entry| entry.status).collect();
    assert_eq!(statuses, [200; 8], "the ninth call is not made");
    wait(Duration::from_secs(301)).await;
    market.fakes.advance(time::Duration::minutes(5));
    assert!(!market.read(Read::Newest).await.unwrap().is_empty());
}
