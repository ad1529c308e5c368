//! The meaning of a service's answer before its content is read, and of a call without an answer. It must not know more of a content than its
//! shape, and leaves the refusals to the port that called.

use serde_json::Value;
use tradepost_ports::external::{Effect, ExternalError};

use crate::client::CallError;
use crate::service::{ServiceAnswer, ServiceError};
use crate::shapes::{JsonType, RequiredShape, Shapes};

const OK: u16 = 200;
const UNAUTHORIZED: u16 = 401;

/// A path that a driver cannot do without.
pub const fn needed(path: &'static str, types: &'static [JsonType]) -> RequiredShape {
    RequiredShape { path, types, is_required: true }
}

/// A path that may be missing, and has one of these types where it is not.
pub const fn known(path: &'static str, types: &'static [JsonType]) -> RequiredShape {
    RequiredShape { path, types, is_required: false }
}

/// Checks that an answer has the status of one with content.
///
/// # Errors
/// [`ExternalError::AuthLost`] for 401, and [`ExternalError::Unknown`] for every other status than 200. None has an effect: a driver that
/// writes checks the status by itself.
pub fn check_status<R>(answer: &ServiceAnswer) -> Result<(), ExternalError<R>> {
    match answer.status {
        OK => Ok(()),
        UNAUTHORIZED => Err(ExternalError::AuthLost { effect: Effect::Nothing }),
        status => Err(ExternalError::Unknown(text_of(status))),
    }
}

/// Returns the text of an answer of which only the status is read: its own text has no known form.
pub fn text_of(status: u16) -> String {
    format!("it answered {status}")
}

/// Returns the JSON of a body.
///
/// # Errors
/// [`ExternalError::Unknown`], which names a place and no part of the body.
pub fn json<R>(body: &[u8]) -> Result<Value, ExternalError<R>> {
    serde_json::from_slice(body)
        .map_err(|error| ExternalError::Unknown(format!("its answer is not JSON at byte {}", error.column())))
}

/// Checks that an answer has the shapes that its driver needs. Returns all shapes of it.
///
/// # Errors
/// [`ExternalError::Unknown`], which names the first path that differs and no value.
pub fn check_shapes<R>(answer: &Value, shapes: &[&[RequiredShape]]) -> Result<Shapes, ExternalError<R>> {
    let found = Shapes::of(answer);
    for needed in shapes.iter().copied() {
        found.check(needed).map_err(|drift| ExternalError::Unknown(drift.to_string()))?;
    }
    Ok(found)
}

/// Returns what it means that a call has no answer. `effect` is what the call may have done once it was sent: nothing if it reads. Answers of
/// 429 that came after the act have been observed.
pub fn failed_call<R>(
    error: &ServiceError,
    effect: Effect,
    refusal: impl FnOnce(&ServiceError) -> R,
) -> ExternalError<R> {
    let refused = || ExternalError::Rejected(refusal(error));
    let unknown = || ExternalError::Unknown(error.to_string());
    match error {
        ServiceError::Paced(retry_after) => {
            ExternalError::RateLimited { retry_after: *retry_after, effect: Effect::Nothing }
        }
        ServiceError::Limited(retry_after) => ExternalError::RateLimited { retry_after: *retry_after, effect },
        ServiceError::RefusedAsClient(_) => match effect {
            Effect::Nothing => refused(),
            Effect::Unknown => unknown(),
        },
        ServiceError::NotListed(_) | ServiceError::Write(_) | ServiceError::Id(_) | ServiceError::Header(_) => {
            refused()
        }
        ServiceError::TooLarge(_)
        | ServiceError::Call(CallError::NotReachable | CallError::TimedOut(_) | CallError::OnTheWay(_)) => unknown(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    const LATER: Duration = Duration::from_secs(7);
    const SHAPE: &[RequiredShape] = &[needed("$.id", &[JsonType::Number]), known("$.note", &[JsonType::String])];

    type Failure = ExternalError<String>;

    fn answer(status: u16) -> ServiceAnswer {
        ServiceAnswer { status, headers: Vec::new(), date: None, body: b"secret".to_vec() }
    }

    /// The meanings of a call, as a read and as a write.
    fn meanings(error: &ServiceError) -> [Failure; 2] {
        [Effect::Nothing, Effect::Unknown].map(|effect| failed_call(error, effect, ToString::to_string))
    }

    fn limited(effect: Effect) -> Failure {
        ExternalError::RateLimited { retry_after: LATER, effect }
    }

    fn unknown(text: &str) -> Failure {
        ExternalError::Unknown(text.to_owned())
    }

    #[test]
    fn a_status_is_all_that_is_read_of_an_answer_without_content() {
        assert_eq!(check_status(&answer(200)), Ok::<(), Failure>(()));
        assert_eq!(check_status(&answer(401)), Err(Failure::AuthLost { effect: Effect::Nothing }));
        for status in [204, 302, 400, 403, 404, 500, 502] {
            assert_eq!(check_status(&answer(status)), Err(unknown(&format!("it answered {status}"))));
        }
    }

    #[test]
    fn a_body_of_another_form_is_named_by_its_place_and_not_by_its_text() {
        assert_eq!(super::json::<String>(b"<html>secret"), Err(unknown("its answer is not JSON at byte 1")));
        assert_eq!(super::json::<String>(br#"{"id":7}"#), Ok(json!({ "id": 7 })));
    }

    #[test]
    fn an_answer_of_another_shape_is_named_by_its_path_and_not_by_its_values() {
        let check = |answer: &Value| check_shapes::<String>(answer, &[&[], SHAPE]);
        let whole = json!({ "id": 7, "new": "secret" });
        assert_eq!(check(&whole), Ok(Shapes::of(&whole)));
        for (answer, text) in [
            (json!({ "new": "secret" }), "SHAPE_DRIFT: $.id is missing"),
            (json!({ "id": "secret" }), "SHAPE_DRIFT: $.id is a string, and must be a number"),
            (json!({ "id": 7, "note": ["secret"] }), "SHAPE_DRIFT: $.note is an array, and must be a string"),
        ] {
            assert_eq!(check(&answer), Err(unknown(text)), "{answer}");
        }
    }

    #[test]
    fn a_call_that_was_not_sent_did_nothing() {
        assert_eq!(meanings(&ServiceError::Paced(LATER)), [limited(Effect::Nothing), limited(Effect::Nothing)]);
        for error in [
            ServiceError::NotListed("/a"),
            ServiceError::Write("/a"),
            ServiceError::Id("/a"),
            ServiceError::Header("cookie"),
        ] {
            let rejected = Failure::Rejected(error.to_string());
            assert_eq!(meanings(&error), [rejected.clone(), rejected]);
        }
    }

    #[test]
    fn a_write_that_is_limited_may_have_had_its_effect() {
        assert_eq!(meanings(&ServiceError::Limited(LATER)), [limited(Effect::Nothing), limited(Effect::Unknown)]);
        let refusal = ServiceError::RefusedAsClient(LATER);
        let text = refusal.to_string();
        assert_eq!(meanings(&refusal), [Failure::Rejected(text.clone()), Failure::Unknown(text)]);
    }

    #[test]
    fn a_call_without_an_answer_has_an_unknown_outcome() {
        for error in [
            ServiceError::TooLarge(1),
            ServiceError::Call(CallError::NotReachable),
            ServiceError::Call(CallError::TimedOut(LATER)),
            ServiceError::Call(CallError::OnTheWay("reset".to_owned())),
        ] {
            let lost = unknown(&error.to_string());
            assert_eq!(meanings(&error), [lost.clone(), lost]);
        }
    }
}
