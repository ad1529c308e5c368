//! From an operation's error to the wire: the only place where one becomes the other.

use std::error::Error as _;

use connectrpc::{ConnectError, ErrorCode};
use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tradepost_operations::{Code, OpError, Reason};

use crate::rate_limit;

/// The stable name of the case. The body stays what the interface says: code and message, nothing else.
const ERROR_REASON: HeaderName = HeaderName::from_static("x-error-reason");

/// The message of an error that is the server's fault.
pub(crate) const INTERNAL_ERROR: &str = "internal error";

/// When to try again after an outage of a part, and after a queue was found full.
const AFTER_OUTAGE_SECONDS: u64 = 5;
const AFTER_OVERLOAD_SECONDS: u64 = 2;
/// When to ask again for the answer of a call that another node carries out.
const AFTER_IN_PROGRESS_SECONDS: u64 = 1;

/// The error as callers see it. One that is our fault is logged here, once, with its cause.
pub(crate) fn to_wire(error: OpError) -> ConnectError {
    if error.code == Code::Internal {
        log(&error);
    }
    let mut wire = match error.code {
        Code::InvalidArgument => ConnectError::invalid_argument(&error.message),
        Code::FailedPrecondition => ConnectError::failed_precondition(&error.message),
        Code::Unauthenticated => ConnectError::unauthenticated(&error.message),
        Code::PermissionDenied => ConnectError::permission_denied(&error.message),
        Code::NotFound => ConnectError::not_found(&error.message),
        Code::AlreadyExists => ConnectError::already_exists(&error.message),
        Code::ResourceExhausted => ConnectError::resource_exhausted(&error.message),
        Code::Internal => ConnectError::internal(INTERNAL_ERROR),
    };
    let headers = wire.response_headers_mut();
    headers.insert(ERROR_REASON, HeaderValue::from_static(error.reason.as_str()));
    if error.code == Code::Unauthenticated {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(charge) = error.charge {
        rate_limit::describe(&charge, headers);
    } else if let Some(seconds) = retry_after(&error) {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    wire
}

/// The reason of a refusal that the protocol library decided alone: its errors have a code and a status, nothing more.
pub(crate) fn reason_of(code: ErrorCode, status: StatusCode) -> Option<Reason> {
    match (code, status) {
        (_, StatusCode::METHOD_NOT_ALLOWED) => Some(Reason::HttpMethodNotAllowed),
        (_, StatusCode::UNSUPPORTED_MEDIA_TYPE) => Some(Reason::UnsupportedMediaType),
        (ErrorCode::InvalidArgument, _) => Some(Reason::Malformed),
        (ErrorCode::DeadlineExceeded, _) => Some(Reason::DeadlineExceeded),
        (ErrorCode::Unimplemented, _) => Some(Reason::Unimplemented),
        (ErrorCode::Internal, _) => Some(Reason::Internal),
        // Codes that the library never gives.
        _ => None,
    }
}

/// Names the case, unless a more specific reason is present.
pub(crate) fn give_reason(headers: &mut HeaderMap, reason: Reason) {
    headers.entry(ERROR_REASON).or_insert(HeaderValue::from_static(reason.as_str()));
}

/// Whether trying again can help, and after how many seconds. Not after an unknown outcome: it has to be looked up first.
fn retry_after(error: &OpError) -> Option<u64> {
    match (error.code, error.reason) {
        (Code::ResourceExhausted, _) => Some(AFTER_OVERLOAD_SECONDS),
        (Code::FailedPrecondition, Reason::IdempotencyInProgress) => Some(AFTER_IN_PROGRESS_SECONDS),
        (Code::Internal, Reason::Internal | Reason::OutcomeUnknown) => None,
        (Code::Internal, _) => Some(AFTER_OUTAGE_SECONDS),
        _ => None,
    }
}

fn log(error: &OpError) {
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        causes.push(error.to_string());
        cause = error.source();
    }
    let (reason, causes) = (error.reason.as_str(), causes.join(": "));
    if error.reason == Reason::StorageUnavailable {
        // Storage itself reports an outage and its end. A line a call would bury them.
        tracing::debug!(reason, causes, "an operation failed");
    } else {
        tracing::error!(reason, causes, "an operation failed");
    }
}

/// A field that a message of the request does not have; the sentence names it.
pub(crate) fn unknown_field(message: String) -> ConnectError {
    to_wire(OpError::invalid_argument(Reason::UnknownField, message))
}

/// A request that no operation was given, because a part of the transport is missing.
pub(crate) fn internal(detail: &'static str) -> ConnectError {
    tracing::error!(detail, "the transport failed");
    ConnectError::new(ErrorCode::Internal, INTERNAL_ERROR)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tradepost_operations::Charge;
    use tradepost_ports::limiter::{Quota, RateClass, Verdict};
    use tradepost_ports::store::StoreError;

    use super::*;

    fn header(error: &ConnectError, name: &str) -> Option<String> {
        error.response_headers().get(name).map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn the_reason_is_a_header_and_no_part_of_the_body() {
        let wire = to_wire(OpError::failed_precondition(Reason::StepUpRequired, "call BeginStepUp first"));
        assert_eq!(header(&wire, "x-error-reason").as_deref(), Some("STEP_UP_REQUIRED"));
        assert_eq!(wire.to_json(), r#"{"code":"failed_precondition","message":"call BeginStepUp first"}"#);
    }

    #[test]
    fn an_internal_error_says_nothing_of_its_cause() {
        let wire = to_wire(OpError::internal("the secret detail"));
        assert_eq!(wire.to_json(), r#"{"code":"internal","message":"internal error"}"#);
    }

    #[test]
    fn an_outage_says_when_to_try_again_and_an_unknown_outcome_does_not() {
        assert_eq!(header(&to_wire(OpError::outage(Reason::BotCheckUnavailable)), "retry-after").as_deref(), Some("5"));
        assert_eq!(header(&to_wire(OpError::outage(Reason::OutcomeUnknown)), "retry-after"), None);
        assert_eq!(header(&to_wire(OpError::from(StoreError::Overloaded)), "retry-after").as_deref(), Some("2"));
        let in_progress = to_wire(OpError::failed_precondition(Reason::IdempotencyInProgress, "try again in a moment"));
        assert_eq!(header(&in_progress, "retry-after").as_deref(), Some("1"));
        assert_eq!(header(&to_wire(OpError::failed_precondition(Reason::IllegalStep, "no")), "retry-after"), None);
    }

    #[test]
    fn an_answer_without_a_credential_names_the_kind_that_is_required() {
        assert_eq!(header(&to_wire(OpError::unauthenticated()), "www-authenticate").as_deref(), Some("Bearer"));
    }

    #[test]
    fn a_reached_limit_says_how_long_to_wait() {
        let verdict = Verdict {
            allowed: false,
            quota: Quota { calls: 1200, window: Duration::from_mins(1), burst: 200 },
            remaining: 0,
            wait: Duration::from_millis(1_200),
        };
        let wire = to_wire(OpError::rate_limited(Charge { class: RateClass::Read, verdict }));
        assert_eq!(header(&wire, "retry-after").as_deref(), Some("2"));
        assert_eq!(header(&wire, "ratelimit").as_deref(), Some(r#""read";r=0;t=2"#));
        assert_eq!(header(&wire, "ratelimit-policy").as_deref(), Some(r#""read";q=1200;w=60"#));
    }
}
