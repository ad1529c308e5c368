//! Every fault of every read of listings, and that the next read works.

use std::time::Duration;

use serde_json::Value;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_fakes::{Card, Fault, Grade};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::marketplace::{ListingFeed as _, MarketListing, MarketplaceRefusal, MarketplaceResult};

use super::market::{Case, Failure, KEY, Market, Read, limits};
use crate::scene::wait;

/// The fault of a read, after which the next one works.
async fn fails_once(case: Case, fault: Fault) -> Failure {
    let market = Market::new(case.of).await;
    let failed = market.read_with(case, fault).await.unwrap_err();
    assert_eq!(market.fakes.ledger().len(), 1, "no call is repeated by itself");
    assert!(!market.read(case.read).await.unwrap().is_empty(), "the next read works");
    let text = format!("{failed} {failed:?}");
    assert!(!text.contains(KEY) && !text.contains("127.0.0.1"), "{text}");
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

async fn f01_a_limit_that_names_a_time_is_waited_for(case: Case) {
    let market = Market::new(case.of).await;
    let failed = market.read_with(case, Fault::F01 { retry_after_seconds: 60 }).await;
    assert_eq!(failed, Err(limited(Duration::from_mins(1))));
    assert!(matches!(market.read(case.read).await, Err(ExternalError::RateLimited { .. })));
    assert_eq!(market.fakes.ledger().len(), 1, "nothing is sent before the time");
    wait(Duration::from_secs(61)).await;
    assert!(!market.read(case.read).await.unwrap().is_empty());
}

async fn f02_a_limit_of_the_first_call_that_names_no_time_is_a_refusal_of_the_client(case: Case) {
    let market = Market::new(case.of).await;
    let text = "it refuses this client, whatever its pace".to_owned();
    let refused = ExternalError::Rejected(MarketplaceRefusal::Other(text));
    assert_eq!(market.read_with(case, Fault::F02).await, Err(refused));
    wait(limits(case.of).pause + limits(case.of).budget.window).await;
    assert!(!market.read(case.read).await.unwrap().is_empty());
}

async fn f05_to_f08_an_answer_that_is_none_proves_nothing(case: Case) {
    for status in [500, 502, 503] {
        let failed = fails_once(case, Fault::F05 { status }).await;
        assert_eq!(unknown(&failed), format!("it answered {status}"));
    }
    for fault in [Fault::F06, Fault::F08Truncated] {
        assert!(unknown(&fails_once(case, fault).await).starts_with("its answer is not JSON"));
    }
    for fault in [Fault::F07 { bytes: 0 }, Fault::F07 { bytes: 300 }, Fault::F08Huge { mib: 4 }, Fault::F08WrongGzip] {
        unknown(&fails_once(case, fault).await);
    }
    assert!(unknown(&fails_once(case, Fault::F08Stall).await).starts_with("no complete answer within"));
}

async fn f09_and_f10_a_key_that_is_not_admitted_is_lost_and_no_redirect_is_followed(case: Case) {
    let lost = ExternalError::AuthLost { effect: Effect::Nothing };
    assert_eq!(fails_once(case, Fault::F09 { status: 401 }).await, lost);
    assert_eq!(fails_once(case, Fault::F10).await, lost);
    assert_eq!(unknown(&fails_once(case, Fault::F09 { status: 302 }).await), "it answered 302");
}

async fn f11_an_error_with_status_200_is_a_refusal_whatever_its_text(case: Case) {
    let message = "a text that no one has seen before";
    let failed = fails_once(case, Fault::F11 { message: message.to_owned() }).await;
    assert!(
        matches!(&failed, ExternalError::Rejected(MarketplaceRefusal::Other(text)) if !text.contains(message)),
        "{failed:?}"
    );
}

async fn f18_and_f32_new_fields_and_numbers_as_texts_change_no_listing_and_are_shown_without_a_value(case: Case) {
    let market = Market::new(case.of).await;
    let usual = market.read(case.read).await.unwrap();
    assert_eq!(market.read_with(case, Fault::F32).await.unwrap(), usual);
    assert_eq!(market.read_with(case, Fault::F18).await.unwrap(), usual);
    let found = market.feed.new_shapes();
    assert!(
        !found.is_empty() && found.iter().all(|shape| shape.starts_with('$') && shape.contains(" is ")),
        "{found:?}"
    );
    assert!(!found.iter().any(|shape| shape.contains("97") || shape.contains("76561198")), "{found:?}");
}

async fn listings_of_another_form_are_an_error_that_names_the_path(case: Case) {
    let failed = fails_once(case, Fault::Drift).await;
    let text = unknown(&failed);
    assert!(text.starts_with("SHAPE_DRIFT: $") && text.contains(" is a boolean, and must be "), "{text}");
}

/// The id of the first listing of an answer.
fn id_of(answer: &Value) -> Option<ExternalId> {
    let places = ["/id", "/items/0/offerId", "/items/0/item_id", "/data/0/id"];
    let id = places.iter().find_map(|place| answer.pointer(place))?;
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    Some(ExternalId::new(&id).unwrap())
}

/// Whether an answer of a card gives what the read has to make of it.
fn is_as_described(case: Case, card: &Card, answer: &Value, read: &MarketplaceResult<Vec<MarketListing>>) -> bool {
    let is_refused = |refusal: MarketplaceRefusal| *read == Err(ExternalError::Rejected(refusal));
    match (card.id.as_str(), case.read) {
        ("csfloat.listing.missing", _) => is_refused(MarketplaceRefusal::NotFound),
        ("csfloat.listings.forbidden" | "market-csgo.key.refused" | "waxpeer.forbidden", _) => {
            *read == Err(ExternalError::AuthLost { effect: Effect::Nothing })
        }
        ("dmarket.offers" | "market-csgo.listing", Read::Again) if id_of(answer).is_none() => {
            is_refused(MarketplaceRefusal::NotFound)
        }
        ("market-csgo.listing", _) if answer.pointer("/data/0/count") == Some(&Value::from(0)) => {
            is_refused(MarketplaceRefusal::NotFound)
        }
        ("waxpeer.availability", _) if answer.pointer("/items/0/selling") != Some(&Value::Bool(true)) => {
            is_refused(MarketplaceRefusal::SoldAlready)
        }
        _ => read.is_ok(),
    }
}

async fn every_sample_of_every_card_is_read_or_is_the_failure_that_it_describes(case: Case) {
    let cards: Vec<_> = Market::new(case.of).await.fakes.facts().cards().cloned().collect();
    let mut samples = 0;
    for card in cards.iter().filter(|card| card.route == case.route) {
        for (number, sample) in card.samples.iter().enumerate() {
            let mut market = Market::new(case.of).await;
            let usual = market.first.clone();
            let answer: Value = serde_json::from_str(sample).unwrap();
            if let Some(id) = id_of(&answer) {
                market.first.id = id;
            }
            // market.csgo.com shows a listing among those of its name.
            if let Some(name) = answer.pointer("/data/0/market_hash_name").and_then(Value::as_str) {
                market.first.market_hash_name = MarketHashName::new(name).unwrap();
            }
            let read = market.read_with(case, Fault::Sample { card: card.id.clone(), number }).await;
            assert!(is_as_described(case, card, &answer, &read), "{} {number}: {read:?}", card.id);
            market.first = usual;
            assert!(!market.read(case.read).await.unwrap().is_empty(), "the next read works");
            assert_eq!(market.feed.new_shapes(), Vec::<String>::new(), "{} is known", card.id);
            samples += 1;
        }
        assert!(card.grade != Grade::Unknown || card.samples.len() >= 2, "{}", card.id);
    }
    assert!(samples > 1, "there are cards of listings");
}

macro_rules! at {
    ($module:ident, $case:ident, $($promise:ident),+ $(,)?) => {
        mod $module {
            use super::super::market::$case;
            $(
                #[tokio::test]
                async fn $promise() {
                    super::$promise($case).await;
                }
            )+
        }
    };
}

macro_rules! at_every_read {
    ($($promise:ident),+ $(,)?) => {
        at!(csfloat_newest, CSFLOAT_NEWEST, $($promise),+);
        at!(csfloat_again, CSFLOAT_AGAIN, $($promise),+);
        at!(dmarket_newest, DMARKET_NEWEST, $($promise),+);
        at!(dmarket_again, DMARKET_AGAIN, $($promise),+);
        at!(market_csgo_of_names, MARKET_CSGO_OF_NAMES, $($promise),+);
        at!(market_csgo_again, MARKET_CSGO_AGAIN, $($promise),+);
        at!(waxpeer_newest, WAXPEER_NEWEST, $($promise),+);
        at!(waxpeer_of_names, WAXPEER_OF_NAMES, $($promise),+);
        at!(waxpeer_again, WAXPEER_AGAIN, $($promise),+);
    };
}

at_every_read!(
    f01_a_limit_that_names_a_time_is_waited_for,
    f02_a_limit_of_the_first_call_that_names_no_time_is_a_refusal_of_the_client,
    f05_to_f08_an_answer_that_is_none_proves_nothing,
    f09_and_f10_a_key_that_is_not_admitted_is_lost_and_no_redirect_is_followed,
    f11_an_error_with_status_200_is_a_refusal_whatever_its_text,
    f18_and_f32_new_fields_and_numbers_as_texts_change_no_listing_and_are_shown_without_a_value,
    listings_of_another_form_are_an_error_that_names_the_path,
    every_sample_of_every_card_is_read_or_is_the_failure_that_it_describes,
);
