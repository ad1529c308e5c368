//! What an answer means before its content is read, and what a call that failed means.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use tradepost_adapters_outside::{CallError, JsonType, RequiredShape, ServiceAnswer, ServiceError, Shapes};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::price_source::{PriceRefusal, PriceResult};

/// The most paths that are kept.
const MOST_NEW_SHAPES: usize = 100;

/// The body of an answer that may hold prices. Statuses are all that is read of the others: their texts are of no known form.
pub(crate) fn usable(answer: ServiceAnswer) -> PriceResult<Vec<u8>> {
    match answer.status {
        200 => Ok(answer.body),
        status @ (400 | 402 | 403 | 404) => Err(refused(format!("it answered {status}"))),
        401 => Err(ExternalError::AuthLost { effect: Effect::Nothing }),
        status => Err(ExternalError::Unknown(format!("it answered {status}"))),
    }
}

/// The JSON of a body, unless it says that it is an error.
pub(crate) fn json(body: &[u8]) -> PriceResult<Value> {
    let answer: Value = serde_json::from_slice(body)
        .map_err(|error| ExternalError::Unknown(format!("its answer is not JSON at byte {}", error.column())))?;
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
    let shapes = Shapes::of(answer);
    shapes.check(needed).map_err(|drift| ExternalError::Unknown(drift.to_string()))?;
    Ok(shapes.beyond(&[needed, also_known]))
}

/// A path that is on a card and that no driver needs.
pub(crate) const fn known(path: &'static str, types: &'static [JsonType]) -> RequiredShape {
    RequiredShape { path, types, is_required: false }
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
    match error {
        ServiceError::Paced(retry_after) | ServiceError::Limited(retry_after) => {
            ExternalError::RateLimited { retry_after: *retry_after, effect: Effect::Nothing }
        }
        ServiceError::RefusedAsClient(_) => ExternalError::Rejected(PriceRefusal::AsClient),
        ServiceError::NotListed(_) | ServiceError::Write(_) | ServiceError::Id(_) | ServiceError::Header(_) => {
            refused(error.to_string())
        }
        ServiceError::TooLarge(_)
        | ServiceError::Call(CallError::NotReachable | CallError::TimedOut(_) | CallError::OnTheWay(_)) => {
            ExternalError::Unknown(error.to_string())
        }
    }
}
