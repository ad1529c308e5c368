//! What is `DMarket`'s alone: signed calls, its clock, and pages by cursor.

use time::Duration;
use tradepost_adapters_price_feeds::Source;
use tradepost_fakes::{Fakes, Fault, FaultRule};
use tradepost_ports::external::{Effect, ExternalError};

use crate::scene::{Scene, unpaced};

const PRICES: &str = "POST /marketplace-api/v1/aggregated-prices";

#[tokio::test]
async fn f19_a_clock_that_is_ten_minutes_off_is_corrected_by_the_date_of_the_first_answer() {
    for off in [Duration::minutes(10), Duration::minutes(-10)] {
        let scene = Scene::with(Source::DMarket, unpaced(Source::DMarket), off).await;
        assert_eq!(scene.read().await, Err(ExternalError::AuthLost { effect: Effect::Nothing }));
        assert!(!scene.read().await.unwrap().is_empty(), "{off}");
    }
}

#[tokio::test]
async fn f19_a_clock_that_is_forty_seconds_off_is_close_enough() {
    let scene = Scene::with(Source::DMarket, unpaced(Source::DMarket), Duration::seconds(40)).await;
    assert!(!scene.read().await.unwrap().is_empty());
    assert!(!scene.read().await.unwrap().is_empty());
}

#[tokio::test]
async fn quotes_have_the_highest_bid_and_never_one_above_the_ask() {
    let scene = Scene::unpaced(Source::DMarket).await;
    let quotes = scene.read().await.unwrap();
    assert!(quotes.iter().all(|quote| quote.quote.highest_bid.is_some_and(|bid| Some(bid) <= quote.quote.lowest_ask)));
}

#[tokio::test]
async fn a_read_has_all_pages_and_one_that_fails_on_the_way_gives_none() {
    let scene = Scene::unpaced(Source::DMarket).await;
    let all = scene.read().await.unwrap();
    assert_eq!(scene.statuses(), [200; 3], "a page has five of twelve names");
    scene.fakes.arm(vec![FaultRule { route: PRICES.to_owned(), nth: 2, times: 1, fault: Fault::F05 { status: 503 } }]);
    assert!(scene.read().await.is_err());
    assert_eq!(scene.read().await.unwrap(), all);
}

#[tokio::test]
async fn a_walk_whose_pages_repeat_ends_with_an_error() {
    let scene = Scene::unpaced(Source::DMarket).await;
    let first = Fault::RepeatedCursor { cursor: "after-5".to_owned() };
    scene.fakes.arm(vec![FaultRule { route: PRICES.to_owned(), nth: 1, times: 10, fault: first }]);
    assert_eq!(scene.read().await, Err(ExternalError::Unknown("its pages repeat".to_owned())));
    assert_eq!(scene.statuses().len(), 2);
    scene.fakes.arm(Vec::new());
    assert!(!scene.read().await.unwrap().is_empty());
}

#[tokio::test]
async fn no_error_holds_a_part_of_the_key_or_of_a_signature() {
    let key = Fakes::dmarket_key();
    for fault in [Fault::F06, Fault::F07 { bytes: 0 }, Fault::F09 { status: 401 }, Fault::F10, Fault::F08WrongGzip] {
        let scene = Scene::unpaced(Source::DMarket).await;
        let failed = scene.read_with(fault).await.unwrap_err();
        let text = format!("{failed} {failed:?}");
        assert!(
            !text.contains(key.split_at(64).0) && !text.contains(key.split_at(64).1) && !text.contains("dmar"),
            "{text}"
        );
        assert!(scene.fakes.ledger().iter().all(|entry| entry.query.is_empty()));
    }
}
