//! What a call that failed means for the port that made it.

use tradepost_adapters_outside::{CallError, ServiceError};
use tradepost_ports::external::{Effect, ExternalError};

use crate::services::CallFailed;

/// Returns what a read means that failed. It has no effect.
pub(crate) fn of_read<R>(error: &CallFailed, other: fn(String) -> R) -> ExternalError<R> {
    of(error, other, Effect::Nothing)
}

/// Returns what a call means that failed, and that may have had its effect. Answers of 429 that came after the act have been observed.
pub(crate) fn of_write<R>(error: &CallFailed, other: fn(String) -> R) -> ExternalError<R> {
    of(error, other, Effect::Unknown)
}

fn of<R>(error: &CallFailed, other: fn(String) -> R, effect: Effect) -> ExternalError<R> {
    let refused = || ExternalError::Rejected(other(error.to_string()));
    let unknown = || ExternalError::Unknown(error.to_string());
    let CallFailed::Service(failed) = error else { return refused() };
    match failed {
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

    use super::*;

    const LATER: Duration = Duration::from_secs(7);

    /// What a call means, as a read and as a write.
    fn meanings(error: &CallFailed) -> [ExternalError<String>; 2] {
        [of_read(error, |text| text), of_write(error, |text| text)]
    }

    fn of_service(error: ServiceError) -> [ExternalError<String>; 2] {
        meanings(&CallFailed::Service(error))
    }

    fn limited(effect: Effect) -> ExternalError<String> {
        ExternalError::RateLimited { retry_after: LATER, effect }
    }

    #[test]
    fn a_call_that_was_not_sent_did_nothing() {
        assert_eq!(of_service(ServiceError::Paced(LATER)), [limited(Effect::Nothing), limited(Effect::Nothing)]);
        let text = "it is not called: closed".to_owned();
        let closed = meanings(&CallFailed::NotCalled("closed".to_owned()));
        assert_eq!(closed, [ExternalError::Rejected(text.clone()), ExternalError::Rejected(text)]);
        for error in [
            ServiceError::NotListed("/a"),
            ServiceError::Write("/a"),
            ServiceError::Id("/a"),
            ServiceError::Header("cookie"),
        ] {
            let rejected = ExternalError::Rejected(error.to_string());
            assert_eq!(of_service(error), [rejected.clone(), rejected]);
        }
    }

    #[test]
    fn a_write_that_is_limited_may_have_had_its_effect() {
        assert_eq!(of_service(ServiceError::Limited(LATER)), [limited(Effect::Nothing), limited(Effect::Unknown)]);
        let refusal = ServiceError::RefusedAsClient(LATER);
        let text = refusal.to_string();
        assert_eq!(of_service(refusal), [ExternalError::Rejected(text.clone()), ExternalError::Unknown(text)]);
    }

    #[test]
    fn a_call_without_an_answer_has_an_unknown_outcome() {
        for error in [
            ServiceError::TooLarge(1),
            ServiceError::Call(CallError::NotReachable),
            ServiceError::Call(CallError::TimedOut(LATER)),
            ServiceError::Call(CallError::OnTheWay("reset".to_owned())),
        ] {
            let unknown = ExternalError::Unknown(error.to_string());
            assert_eq!(of_service(error), [unknown.clone(), unknown]);
        }
    }
}
