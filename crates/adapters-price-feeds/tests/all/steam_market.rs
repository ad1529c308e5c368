//! What is the Steam Community Market's alone: a walk that is kept, and names that are watched.

use tradepost_adapters_price_feeds::Source;
use tradepost_domain::text::MarketHashName;
use tradepost_fakes::{Fault, FaultRule};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::price_source::VariantQuote;

use crate::scene::Scene;

const SEARCH: &str = "GET /market/search/render/";
const OVERVIEW: &str = "GET /market/priceoverview/";
const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

async fn scene() -> Scene {
    Scene::unpaced(Source::SteamMarket).await
}

fn names(quotes: &[VariantQuote]) -> Vec<&str> {
    quotes.iter().map(|quote| quote.variant.market_hash_name.as_str()).collect()
}

fn routes(scene: &Scene) -> Vec<String> {
    scene.fakes.ledger().into_iter().map(|entry| entry.route).collect()
}

#[tokio::test]
async fn a_page_that_was_read_before_a_call_failed_is_in_the_next_read_with_its_own_time() {
    let scene = scene().await;
    let all = scene.read().await.unwrap();
    scene.fakes.advance(time::Duration::minutes(1));
    let first_page_at = scene.fakes.now();
    scene.fakes.arm(vec![FaultRule { route: SEARCH.to_owned(), nth: 2, times: 1, fault: Fault::F05 { status: 500 } }]);
    assert!(scene.read().await.is_err());
    scene.fakes.advance(time::Duration::minutes(1));
    let next = scene.read().await.unwrap();
    assert_eq!(names(&next), names(&all), "the walk goes on where it was, and nothing is lost");
    let at_first = next.iter().filter(|quote| quote.quote.observed_at == first_page_at).count();
    assert_eq!((at_first, next.len()), (10, 12));
}

#[tokio::test]
async fn a_watched_name_is_asked_for_by_itself_before_the_pages() {
    let scene = scene().await;
    scene.service.watch(&[MarketHashName::new(REDLINE).unwrap()]);
    let quotes = scene.read().await.unwrap();
    assert_eq!(routes(&scene), [OVERVIEW, SEARCH, SEARCH]);
    assert_eq!(names(&quotes).iter().filter(|name| **name == REDLINE).count(), 1);
    let query = scene.fakes.ledger().into_iter().next().unwrap().query;
    assert_eq!(query, "appid=730&currency=1&market_hash_name=AK-47+%7C+Redline+%28Field-Tested%29");
}

#[tokio::test]
async fn an_empty_answer_to_a_watched_name_is_a_limit_and_the_next_read_works() {
    let scene = scene().await;
    scene.service.watch(&[MarketHashName::new(REDLINE).unwrap()]);
    let sample = Fault::Sample { card: "steam-market.overview.limited".to_owned(), number: 0 };
    scene.fakes.arm(vec![FaultRule::next(OVERVIEW, sample)]);
    let minute = std::time::Duration::from_mins(1);
    assert_eq!(scene.read().await, Err(ExternalError::RateLimited { retry_after: minute, effect: Effect::Nothing }));
    assert_eq!(scene.read().await.unwrap().len(), 12);
}

#[tokio::test]
async fn an_empty_page_is_no_end_of_the_walk() {
    let scene = scene().await;
    let all = scene.read().await.unwrap();
    scene.fakes.arm(vec![FaultRule::next(SEARCH, Fault::EmptyPage)]);
    assert_eq!(scene.read().await, Err(ExternalError::Unknown("its page is empty".to_owned())));
    assert_eq!(scene.read().await.unwrap(), all);
}

#[tokio::test]
async fn a_watched_name_without_a_readable_answer_keeps_no_further_read_from_the_pages() {
    let scene = scene().await;
    scene.service.watch(&[MarketHashName::new(REDLINE).unwrap()]);
    let always = FaultRule { route: OVERVIEW.to_owned(), nth: 1, times: 99, fault: Fault::F05 { status: 500 } };
    scene.fakes.arm(vec![always]);
    assert_eq!(scene.read().await, Err(ExternalError::Unknown("it answered 500".to_owned())));
    assert_eq!(scene.read().await.unwrap().len(), 12);
    assert_eq!(routes(&scene), [OVERVIEW, SEARCH, SEARCH]);
}
