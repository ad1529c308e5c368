//! What a call that failed means for the port that made it.

use tradepost_adapters_outside::answers;
use tradepost_ports::external::{Effect, ExternalError};

use crate::services::CallFailed;

/// Returns what a read means that failed. It has no effect.
pub(crate) fn of_read<R>(error: &CallFailed, other: fn(String) -> R) -> ExternalError<R> {
    of(error, other, Effect::Nothing)
}

/// Returns what a call means that failed, and that may have had its effect.
pub(crate) fn of_write<R>(error: &CallFailed, other: fn(String) -> R) -> ExternalError<R> {
    of(error, other, Effect::Unknown)
}

fn of<R>(error: &CallFailed, other: fn(String) -> R, effect: Effect) -> ExternalError<R> {
    match error {
        CallFailed::NotCalled(_) => ExternalError::Rejected(other(error.to_string())),
        CallFailed::Service(failed) => answers::failed_call(failed, effect, |failed| other(failed.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tradepost_adapters_outside::ServiceError;

    use super::*;

    const LATER: Duration = Duration::from_secs(7);

    /// What a call means, as a read and as a write.
    fn meanings(error: &CallFailed) -> [ExternalError<String>; 2] {
        [of_read(error, |text| text), of_write(error, |text| text)]
    }

    #[test]
    fn a_host_that_is_not_called_rejects_reads_and_writes() {
        let rejected = ExternalError::Rejected("it is not called: closed".to_owned());
        assert_eq!(meanings(&CallFailed::NotCalled("closed".to_owned())), [rejected.clone(), rejected]);
    }

    #[test]
    fn a_read_has_no_effect_and_a_write_may_have_had_one() {
        let limited = |effect| ExternalError::RateLimited { retry_after: LATER, effect };
        let failed = CallFailed::Service(ServiceError::Limited(LATER));
        assert_eq!(meanings(&failed), [limited(Effect::Nothing), limited(Effect::Unknown)]);
    }
}
