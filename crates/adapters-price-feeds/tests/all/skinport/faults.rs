//! Every fault of a read, and that the next read works.

use std::collections::BTreeSet;
use std::time::Duration;

use tradepost_fakes::{Fault, Grade};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::price_source::PriceRefusal;

use super::{ALLOWED, Scene};

type Failure = ExternalError<PriceRefusal>;

/// The fault of a read after which the next one works; each read is one request.
async fn fails_once(fault: Fault) -> Failure {
    let scene = Scene::unpaced().await;
    let failed = scene.read_with(fault).await.unwrap_err();
    assert!(!scene.read().await.unwrap().is_empty(), "the next read works");
    assert_eq!(scene.fakes.ledger().len(), 2, "no read is repeated by itself");
    assert_eq!(scene.fakes.simulator().world(|world| world.check_books()), Ok(()));
    failed
}

fn unknown(failed: &Failure) -> &str {
    match failed {
        ExternalError::Unknown(text) => text,
        ExternalError::Rejected(_) | ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. } => {
            panic!("{failed:?}")
        }
    }
}

/// Moves the clock of the budget, while no call is open.
async fn wait(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

#[tokio::test]
async fn f01_a_limit_that_names_a_time_is_waited_for_and_the_list_is_read_once_then() {
    let scene = Scene::unpaced().await;
    let limited =
        |seconds| ExternalError::RateLimited { retry_after: Duration::from_secs(seconds), effect: Effect::Nothing };
    let failed = scene.read_with(Fault::F01 { retry_after_seconds: 60 }).await;
    assert_eq!(failed, Err(limited(60)));
    assert!(matches!(scene.read().await, Err(ExternalError::RateLimited { .. })));
    assert_eq!(scene.fakes.ledger().len(), 1, "nothing is sent before the time");
    wait(Duration::from_secs(61)).await;
    assert!(!scene.read().await.unwrap().is_empty());
    assert_eq!(scene.fakes.ledger().len(), 2);
}

#[tokio::test]
async fn f02_a_limit_of_the_first_call_that_names_no_time_is_a_refusal_of_the_client() {
    let scene = Scene::unpaced().await;
    assert_eq!(scene.read_with(Fault::F02).await, Err(ExternalError::Rejected(PriceRefusal::AsClient)));
    assert!(matches!(scene.read().await, Err(ExternalError::RateLimited { .. })), "it is not worked around");
    wait(Duration::from_secs(301)).await;
    assert!(!scene.read().await.unwrap().is_empty());
}

#[tokio::test]
async fn f02_a_limit_that_follows_other_calls_is_waited_for() {
    let scene = Scene::unpaced().await;
    scene.read().await.unwrap();
    let pause = tradepost_adapters_price_feeds::limits().pause;
    let failed = scene.read_with(Fault::F02).await;
    assert_eq!(failed, Err(ExternalError::RateLimited { retry_after: pause, effect: Effect::Nothing }));
    wait(pause).await;
    assert!(!scene.read().await.unwrap().is_empty());
}

#[tokio::test]
async fn f06_a_page_in_place_of_the_list_is_no_list() {
    assert!(unknown(&fails_once(Fault::F06).await).starts_with("its answer is not JSON"));
}

#[tokio::test]
async fn f07_a_connection_that_is_reset_gives_no_prices_wherever_it_is_reset() {
    for bytes in [0, 20, 300] {
        let failed = fails_once(Fault::F07 { bytes }).await;
        assert!(!unknown(&failed).contains("127.0.0.1"), "{failed}");
    }
}

#[tokio::test]
async fn f08_an_answer_that_stalls_is_too_long_ends_early_or_is_packed_wrongly_is_no_list() {
    assert!(unknown(&fails_once(Fault::F08Stall).await).starts_with("no complete answer within"));
    assert_eq!(unknown(&fails_once(Fault::F08Huge { mib: 4 }).await), "its answer has more than 2097152 bytes");
    assert!(unknown(&fails_once(Fault::F08Truncated).await).starts_with("its answer is not JSON"));
    unknown(&fails_once(Fault::F08WrongGzip).await);
}

#[tokio::test]
async fn f11_an_error_with_status_200_is_a_refusal_whatever_its_text() {
    for message in ["rate_limit_exceeded", "a text that no one has seen before"] {
        let failed = fails_once(Fault::F11 { message: message.to_owned() }).await;
        assert!(
            matches!(&failed, ExternalError::Rejected(PriceRefusal::Other(text)) if !text.contains(message)),
            "{failed:?}"
        );
    }
}

#[tokio::test]
async fn f18_fields_and_numbers_that_no_one_has_seen_change_no_price() {
    let scene = Scene::unpaced().await;
    let usual = scene.read().await.unwrap();
    assert_eq!(scene.read_with(Fault::F18).await.unwrap(), usual);
}

#[tokio::test]
async fn a_list_of_another_form_is_an_error_that_names_the_path() {
    let failed = fails_once(Fault::Drift).await;
    assert_eq!(unknown(&failed), "SHAPE_DRIFT: $[].min_price is a string, and must be a number or null");
}

#[tokio::test]
async fn the_driver_stays_below_the_limit_of_the_facade_and_waits_by_itself() {
    let scene = Scene::new().await;
    let mut results = Vec::new();
    for _ in 0..ALLOWED {
        results.push(scene.read().await);
    }
    assert!(results.iter().any(|read| matches!(read, Err(ExternalError::RateLimited { .. }))));
    assert!(scene.fakes.ledger().iter().all(|entry| entry.status == 200), "{:?}", scene.fakes.ledger());
    assert!(scene.fakes.ledger().len() < ALLOWED);
}

#[tokio::test]
async fn beyond_the_limit_of_the_facade_the_time_that_it_names_is_waited_for() {
    let scene = Scene::unpaced().await;
    for _ in 0..ALLOWED {
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
async fn every_sample_of_every_card_is_read_or_refused_and_the_next_read_works() {
    let cards: Vec<_> = Scene::unpaced().await.fakes.facts().cards().cloned().collect();
    let mut met = BTreeSet::new();
    for card in &cards {
        for number in 0..card.samples.len() {
            let scene = Scene::unpaced().await;
            let read = scene.read_with(Fault::Sample { card: card.id.clone(), number }).await;
            assert_eq!(read.is_ok(), card.status == 200, "{} {number}: {read:?}", card.id);
            wait(Duration::from_secs(301)).await;
            assert!(!scene.read().await.unwrap().is_empty());
            met.extend(scene.fakes.ledger().into_iter().filter_map(|entry| entry.card));
        }
        assert!(card.grade != Grade::Unknown || card.samples.len() >= 2, "{}", card.id);
    }
    let all: BTreeSet<String> = cards.into_iter().map(|card| card.id).collect();
    assert_eq!(met, all, "a card that no driver meets");
}
