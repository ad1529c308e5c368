//! What an answer means before its content is read, and what a call that failed means, in the refusals of price sources.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
pub(crate) use tradepost_adapters_outside::answers::known;
use tradepost_adapters_outside::{RequiredShape, ServiceAnswer, ServiceError, answers};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::price_source::{PriceRefusal, PriceResult};

/// The most paths that are kept.
const MOST_NEW_SHAPES: usize = 100;

/// The body of an answer that may hold prices. Statuses are all that is read of the others: their texts are of no known form.
pub(crate) fn usable(answer: ServiceAnswer) -> PriceResult<Vec<u8>> {
    if matches!(answer.status, 400 | 402 | 403 | 404) {
        return Err(refused(answers::text_of(answer.status)));
    }
    answers::check_status(&answer)?;
    Ok(answer.body)
}

/// The JSON of a body, unless it says that it is an error.
pub(crate) fn json(body: &[u8]) -> PriceResult<Value> {
    unless_error(answers::json(body)?)
}

/// An answer, unless it says that it is an error.
pub(crate) fn unless_error(answer: Value) -> PriceResult<Value> {
    if answer.get("errors").is_some() || answer.get("success") == Some(&Value::Bool(false)) {
        return Err(refused("it answered an error in place of its list".to_owned()));
    }
    Ok(answer)
}

/// Checks that an answer has the shape that its driver needs. Returns the paths and types that are on no card of facts: neither among
/// those that are needed, nor among the others that are known.
pub(crate) fn check(
    answer: &Value,
    needed: &[RequiredShape],
    also_known: &[RequiredShape],
) -> PriceResult<BTreeSet<String>> {
    Ok(answers::check_shapes(answer, &[needed])?.beyond(&[needed, also_known]))
}

/// The paths and types that answers had and that are on no card, since the process began.
#[derive(Debug, Default)]
pub(crate) struct NewShapes(Mutex<BTreeSet<String>>);

impl NewShapes {
    pub(crate) fn note(&self, found: BTreeSet<String>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for shape in found {
            // An answer with names as keys would have as many paths as names.
            if all.len() < MOST_NEW_SHAPES {
                all.insert(shape);
            }
        }
    }

    pub(crate) fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

pub(crate) const fn refused(text: String) -> ExternalError<PriceRefusal> {
    ExternalError::Rejected(PriceRefusal::Other(text))
}

/// What a call that failed means. A read has no effect.
pub(crate) fn failure(error: &ServiceError) -> ExternalError<PriceRefusal> {
    answers::failed_call(error, Effect::Nothing, refusal)
}

/// Distinguishes a service that does not want this client, because no other pace would help.
fn refusal(error: &ServiceError) -> PriceRefusal {
    let is_about_client = matches!(error, ServiceError::RefusedAsClient(_));
    if is_about_client { PriceRefusal::AsClient } else { PriceRefusal::Other(error.to_string()) }
}
