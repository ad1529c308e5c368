//! Every fault of a read at every source, and that the next read works.

use std::collections::BTreeSet;
use std::time::Duration;

use tradepost_adapters_price_feeds::Source;
use tradepost_domain::text::MarketHashName;
use tradepost_fakes::{Card, Fault, FaultRule, Grade};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::price_source::PriceRefusal;

use crate::scene::{Scene, wait};

type Failure = ExternalError<PriceRefusal>;

/// The fault of the first call of a read, after which the next one works.
async fn fails_once(source: Source, fault: Fault) -> Failure {
    let scene = Scene::unpaced(source).await;
    let failed = scene.read_with(fault).await.unwrap_err();
    assert_eq!(scene.fakes.ledger().len(), 1, "no call is repeated by itself");
    assert!(!scene.read().await.unwrap().is_empty(), "the next read works");
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

const fn limited(retry_after: Duration) -> Failure {
    ExternalError::RateLimited { retry_after, effect: Effect::Nothing }
}

/// The time after which a service is called again that refused the client.
fn pause(source: Source) -> Duration {
    source.limits().pause + source.limits().budget.window
}

async fn f01_a_limit_that_names_a_time_is_waited_for(source: Source) {
    let scene = Scene::unpaced(source).await;
    let failed = scene.read_with(Fault::F01 { retry_after_seconds: 60 }).await;
    assert_eq!(failed, Err(limited(Duration::from_mins(1))));
    assert!(matches!(scene.read().await, Err(ExternalError::RateLimited { .. })));
    assert_eq!(scene.fakes.ledger().len(), 1, "nothing is sent before the time");
    wait(Duration::from_secs(61)).await;
    assert!(!scene.read().await.unwrap().is_empty());
}

async fn f02_a_limit_of_the_first_call_that_names_no_time_is_a_refusal_of_the_client(source: Source) {
    let scene = Scene::unpaced(source).await;
    assert_eq!(scene.read_with(Fault::F02).await, Err(ExternalError::Rejected(PriceRefusal::AsClient)));
    assert!(matches!(scene.read().await, Err(ExternalError::RateLimited { .. })), "it is not worked around");
    assert_eq!(scene.fakes.ledger().len(), 1);
    wait(pause(source)).await;
    assert!(!scene.read().await.unwrap().is_empty());
}

async fn f02_a_limit_that_follows_other_calls_is_waited_for(source: Source) {
    let scene = Scene::unpaced(source).await;
    scene.read().await.unwrap();
    assert_eq!(scene.read_with(Fault::F02).await, Err(limited(source.limits().pause)));
    wait(source.limits().pause).await;
    assert!(!scene.read().await.unwrap().is_empty());
}

async fn f05_an_error_of_the_service_is_no_list(source: Source) {
    for status in [500, 502, 503] {
        let failed = fails_once(source, Fault::F05 { status }).await;
        assert_eq!(unknown(&failed), format!("it answered {status}"));
    }
}

async fn f06_a_page_in_place_of_the_list_is_no_list(source: Source) {
    assert!(unknown(&fails_once(source, Fault::F06).await).starts_with("its answer is not JSON"));
}

async fn f07_a_connection_that_is_reset_gives_no_prices_wherever_it_is_reset(source: Source) {
    for bytes in [0, 20, 300] {
        let failed = fails_once(source, Fault::F07 { bytes }).await;
        assert!(!unknown(&failed).contains("127.0.0.1"), "{failed}");
    }
}

async fn f08_an_answer_that_stalls_is_too_long_ends_early_or_is_packed_wrongly_is_no_list(source: Source) {
    let failed = |fault| fails_once(source, fault);
    assert!(unknown(&failed(Fault::F08Stall).await).starts_with("no complete answer within"));
    assert_eq!(unknown(&failed(Fault::F08Huge { mib: 4 }).await), "its answer has more than 2097152 bytes");
    assert!(unknown(&failed(Fault::F08Truncated).await).starts_with("its answer is not JSON"));
    unknown(&failed(Fault::F08WrongGzip).await);
}

async fn f09_a_call_that_is_not_admitted_gives_no_prices_and_no_redirect_is_followed(source: Source) {
    assert_eq!(
        fails_once(source, Fault::F09 { status: 401 }).await,
        ExternalError::AuthLost { effect: Effect::Nothing }
    );
    assert_eq!(unknown(&fails_once(source, Fault::F09 { status: 302 }).await), "it answered 302");
}

async fn f10_a_call_that_is_forbidden_is_a_refusal(source: Source) {
    let text = "it answered 403".to_owned();
    assert_eq!(fails_once(source, Fault::F10).await, ExternalError::Rejected(PriceRefusal::Other(text)));
}

async fn f11_an_error_with_status_200_is_a_refusal_whatever_its_text(source: Source) {
    for message in ["rate_limit_exceeded", "a text that no one has seen before"] {
        let failed = fails_once(source, Fault::F11 { message: message.to_owned() }).await;
        assert!(
            matches!(&failed, ExternalError::Rejected(PriceRefusal::Other(text)) if !text.contains(message)),
            "{failed:?}"
        );
    }
}

async fn f18_fields_and_numbers_that_no_one_has_seen_change_no_price(source: Source) {
    let scene = Scene::unpaced(source).await;
    let usual = scene.read().await.unwrap();
    assert_eq!(scene.read_with(Fault::F18).await.unwrap(), usual);
}

async fn f32_a_number_as_text_and_a_text_as_number_change_no_price(source: Source) {
    let scene = Scene::unpaced(source).await;
    let usual = scene.read().await.unwrap();
    assert_eq!(scene.read_with(Fault::F32).await.unwrap(), usual);
}

async fn what_is_on_a_card_is_known_and_what_is_not_is_shown_without_a_value(source: Source) {
    let scene = Scene::unpaced(source).await;
    scene.service.watch(&[MarketHashName::new("AWP | Asiimov (Field-Tested)").unwrap()]);
    scene.read().await.unwrap();
    scene.fakes.advance(time::Duration::hours(1));
    scene.read().await.unwrap();
    assert_eq!(scene.prices.new_shapes(), Vec::<String>::new());
    scene.read_with(Fault::F18).await.unwrap();
    let found = scene.prices.new_shapes();
    assert!(
        !found.is_empty() && found.iter().all(|shape| shape.starts_with('$') && shape.contains(" is ")),
        "{found:?}"
    );
    assert!(!found.iter().any(|shape| shape.contains("97") || shape.contains("76561198")), "{found:?}");
}

async fn a_list_of_another_form_is_an_error_that_names_the_path(source: Source) {
    let failed = fails_once(source, Fault::Drift).await;
    let text = unknown(&failed);
    assert!(text.starts_with("SHAPE_DRIFT: $") && text.contains(", and must be "), "{text}");
}

/// The routes that no price comes from: the tests of listings and of accounts have them.
const OF_LISTINGS: [&str; 17] = [
    "GET /account/v1/balance",
    "GET /api/v1/listings",
    "GET /api/v1/listings/{id}",
    "GET /api/v1/me",
    "GET /api/v1/me/buy-orders",
    "GET /api/v1/users/{id}/stall",
    "GET /api/v2/search-item-by-hash-name-specific",
    "GET /api/v2/search-list-items-by-hash-name-all",
    "GET /marketplace-api/v2/offers",
    "GET /marketplace-api/v2/user/offers",
    "GET /marketplace-api/v2/user/targets",
    "GET /v1/buy-orders",
    "GET /v1/check-availability",
    "GET /v1/get-items-list",
    "GET /v1/list-items-steam",
    "GET /v1/user",
    "POST /v1/mass-info",
];

/// Whether the driver takes prices from an answer of a card.
fn has_prices(card: &Card) -> bool {
    card.status == 200 && ![".refused", ".limited"].iter().any(|end| card.id.ends_with(end))
}

async fn every_sample_of_every_card_is_read_or_refused_and_the_next_read_works(source: Source) {
    let cards: Vec<_> = Scene::unpaced(source).await.fakes.facts().cards().cloned().collect();
    let of_source = |card: &&Card| {
        card.id.starts_with(&format!("{}.", source.name())) && !OF_LISTINGS.contains(&card.route.as_str())
    };
    let mut met = BTreeSet::new();
    for card in cards.iter().filter(of_source) {
        for number in 0..card.samples.len() {
            let scene = Scene::unpaced(source).await;
            // Names are asked for one by one where that is a route of its own.
            scene.service.watch(&[MarketHashName::new("AWP | Asiimov (Field-Tested)").unwrap()]);
            scene.fakes.arm(vec![FaultRule::next(&card.route, Fault::Sample { card: card.id.clone(), number })]);
            let read = scene.read().await;
            assert_eq!(read.is_ok(), has_prices(card), "{} {number}: {read:?}", card.id);
            wait(pause(source)).await;
            assert!(!scene.read().await.unwrap().is_empty());
            met.extend(scene.fakes.ledger().into_iter().filter_map(|entry| entry.card));
        }
        assert!(card.grade != Grade::Unknown || card.samples.len() >= 2, "{}", card.id);
    }
    let all: BTreeSet<String> = cards.iter().filter(of_source).map(|card| card.id.clone()).collect();
    assert!(all.is_subset(&met), "cards that no driver meets: {:?}", all.difference(&met));
}

macro_rules! at {
    ($module:ident, $source:expr, $($promise:ident),+ $(,)?) => {
        mod $module {
            use tradepost_adapters_price_feeds::Source;
            $(
                #[tokio::test]
                async fn $promise() {
                    super::$promise($source).await;
                }
            )+
        }
    };
}

macro_rules! at_every_source {
    ($($promise:ident),+ $(,)?) => {
        at!(skinport, Source::Skinport, $($promise),+);
        at!(market_csgo, Source::MarketCsgo, $($promise),+);
        at!(waxpeer, Source::Waxpeer, $($promise),+);
        at!(csfloat, Source::CsFloat, $($promise),+);
        at!(dmarket, Source::DMarket, $($promise),+);
        at!(steam_market, Source::SteamMarket, $($promise),+);
    };
}

at_every_source!(
    f01_a_limit_that_names_a_time_is_waited_for,
    f02_a_limit_of_the_first_call_that_names_no_time_is_a_refusal_of_the_client,
    f02_a_limit_that_follows_other_calls_is_waited_for,
    f05_an_error_of_the_service_is_no_list,
    f06_a_page_in_place_of_the_list_is_no_list,
    f07_a_connection_that_is_reset_gives_no_prices_wherever_it_is_reset,
    f08_an_answer_that_stalls_is_too_long_ends_early_or_is_packed_wrongly_is_no_list,
    f09_a_call_that_is_not_admitted_gives_no_prices_and_no_redirect_is_followed,
    f10_a_call_that_is_forbidden_is_a_refusal,
    f11_an_error_with_status_200_is_a_refusal_whatever_its_text,
    f18_fields_and_numbers_that_no_one_has_seen_change_no_price,
    f32_a_number_as_text_and_a_text_as_number_change_no_price,
    what_is_on_a_card_is_known_and_what_is_not_is_shown_without_a_value,
    a_list_of_another_form_is_an_error_that_names_the_path,
    every_sample_of_every_card_is_read_or_refused_and_the_next_read_works,
);
