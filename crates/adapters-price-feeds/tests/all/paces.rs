//! How often the drivers call: below the limits of the facades, and not before the time that a service names.

use std::time::Duration;

use tradepost_adapters_price_feeds::Source;
use tradepost_ports::external::{Effect, ExternalError};

use crate::scene::{Scene, wait};

#[tokio::test]
async fn a_driver_stays_below_the_limit_of_the_facade_and_waits_by_itself() {
    for source in [Source::Skinport, Source::MarketCsgo, Source::Waxpeer, Source::CsFloat] {
        let scene = Scene::with(source, source.limits(), time::Duration::ZERO).await;
        let mut results = Vec::new();
        for _ in 0..12 {
            results.push(scene.read().await);
        }
        assert!(results.iter().any(|read| matches!(read, Err(ExternalError::RateLimited { .. }))), "{source:?}");
        assert!(scene.statuses().iter().all(|status| *status == 200), "{source:?}: {:?}", scene.statuses());
    }
}

#[tokio::test]
async fn calls_are_the_gap_of_the_service_apart() {
    let begun = std::time::Instant::now();
    let scene = Scene::with(Source::MarketCsgo, Source::MarketCsgo.limits(), time::Duration::ZERO).await;
    scene.read().await.unwrap();
    scene.read().await.unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(900), "two reads of two exports have three gaps of 300 ms");
}

#[tokio::test]
async fn beyond_the_limit_of_the_facade_the_time_that_it_names_is_waited_for() {
    let scene = Scene::unpaced(Source::Skinport).await;
    for _ in 0..8 {
        scene.read().await.unwrap();
    }
    let five_minutes = Duration::from_mins(5);
    let limited = ExternalError::RateLimited { retry_after: five_minutes, effect: Effect::Nothing };
    assert_eq!(scene.read().await, Err(limited));
    wait(five_minutes).await;
    scene.fakes.advance(time::Duration::minutes(5));
    assert!(!scene.read().await.unwrap().is_empty());
}

#[tokio::test]
async fn headers_that_show_no_call_left_are_obeyed_before_a_call_is_refused() {
    let scene = Scene::unpaced(Source::CsFloat).await;
    for _ in 0..10 {
        scene.read().await.unwrap();
    }
    assert!(matches!(scene.read().await, Err(ExternalError::RateLimited { .. })));
    assert_eq!(scene.statuses(), [200; 10], "the eleventh call is not made");
    wait(Duration::from_secs(301)).await;
    scene.fakes.advance(time::Duration::minutes(5));
    assert!(!scene.read().await.unwrap().is_empty());
}
