//! What the answer of a method that signs in means, by its result.

use std::time::Duration;

use prost::Message;
use tradepost_adapters_outside::ServiceAnswer;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::{SessionRefusal, SessionResult};

use crate::eresult::{EResult, LIMITED_FOR};
use crate::protobuf_call::{self, NoMessage};

type Failed = ExternalError<SessionRefusal>;

/// How long no sign-in is begun after one too many. Steam refuses the whole address for a while.
const AFTER_SIGN_INS: Duration = Duration::from_mins(10);

/// Reads the message of an answer. The inner error is a result other than OK, whose meaning differs by method.
pub(super) fn of<M: Message + Default>(answer: &ServiceAnswer) -> SessionResult<Result<M, EResult>> {
    match protobuf_call::message(answer) {
        Ok(message) => Ok(Ok(message)),
        Err(NoMessage::Result(result)) => Ok(Err(result)),
        Err(NoMessage::SignedOut) => Err(signed_out()),
        Err(NoMessage::Unusable(text)) => Err(ExternalError::Unknown(text)),
    }
}

/// The result of beginning a sign-in, or of reading the key for its password.
pub(super) fn of_beginning(result: EResult) -> Failed {
    match result {
        // Steam does not say which of the two is wrong, and neither does the port.
        EResult::INVALID_PASSWORD | EResult::ACCOUNT_NOT_FOUND => rejected(SessionRefusal::WrongPassword),
        EResult::RATE_LIMIT_EXCEEDED => limited(AFTER_SIGN_INS),
        other => unknown(other),
    }
}

/// The result of giving a code.
pub(super) fn of_code(result: EResult) -> Failed {
    match result {
        EResult::INVALID_LOGIN_AUTH_CODE | EResult::TWO_FACTOR_CODE_MISMATCH => rejected(SessionRefusal::WrongCode),
        EResult::EXPIRED | EResult::FILE_NOT_FOUND => rejected(SessionRefusal::Expired),
        EResult::RATE_LIMIT_EXCEEDED => limited(LIMITED_FOR),
        other => unknown(other),
    }
}

/// The result of a poll.
pub(super) fn of_poll(result: EResult) -> Failed {
    match result {
        EResult::EXPIRED | EResult::FILE_NOT_FOUND => rejected(SessionRefusal::Expired),
        EResult::ACCESS_DENIED => rejected(SessionRefusal::ApprovalDenied),
        EResult::RATE_LIMIT_EXCEEDED => limited(LIMITED_FOR),
        other => unknown(other),
    }
}

/// The result of renewing or revoking tokens.
pub(super) fn of_tokens(result: EResult) -> Failed {
    match result {
        EResult::INVALID_PASSWORD | EResult::FILE_NOT_FOUND | EResult::ACCESS_DENIED | EResult::EXPIRED => signed_out(),
        EResult::RATE_LIMIT_EXCEEDED => limited(LIMITED_FOR),
        other => unknown(other),
    }
}

const fn rejected(refusal: SessionRefusal) -> Failed {
    ExternalError::Rejected(refusal)
}

/// Steam checks its limit before it acts: it answers with the result in place of a session, a code or a token.
const fn limited(retry_after: Duration) -> Failed {
    ExternalError::RateLimited { retry_after, effect: Effect::Nothing }
}

const fn signed_out() -> Failed {
    ExternalError::AuthLost { effect: Effect::Nothing }
}

fn unknown(result: EResult) -> Failed {
    ExternalError::Unknown(format!("it answered {result}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Nothing;

    fn answer(status: u16, result: &str) -> ServiceAnswer {
        let headers = vec![("x-eresult", result.to_owned())];
        ServiceAnswer { status, headers, date: None, body: Vec::new() }
    }

    /// The result of a number, as it is read of an answer.
    fn result(number: u32) -> EResult {
        EResult::of(&answer(200, &number.to_string())).unwrap()
    }

    fn unknown_result(number: u32) -> Failed {
        ExternalError::Unknown(format!("it answered result {number}"))
    }

    #[test]
    fn a_refused_sign_in_is_one_of_name_or_password() {
        for number in [5, 18] {
            assert_eq!(of_beginning(result(number)), rejected(SessionRefusal::WrongPassword));
        }
        assert_eq!(of_beginning(result(84)), limited(Duration::from_mins(10)));
        for number in [2, 15, 16, 20, 63, 85, 999] {
            assert_eq!(of_beginning(result(number)), unknown_result(number));
        }
    }

    #[test]
    fn a_refused_code_is_wrong_or_late() {
        for number in [65, 88] {
            assert_eq!(of_code(result(number)), rejected(SessionRefusal::WrongCode));
        }
        for number in [9, 27] {
            assert_eq!(of_code(result(number)), rejected(SessionRefusal::Expired));
        }
        assert_eq!(of_code(result(84)), limited(Duration::from_mins(1)));
        assert_eq!(of_code(result(5)), unknown_result(5));
    }

    #[test]
    fn a_refused_poll_is_late_or_denied() {
        for number in [9, 27] {
            assert_eq!(of_poll(result(number)), rejected(SessionRefusal::Expired));
        }
        assert_eq!(of_poll(result(15)), rejected(SessionRefusal::ApprovalDenied));
        assert_eq!(of_poll(result(84)), limited(Duration::from_mins(1)));
        assert_eq!(of_poll(result(10)), unknown_result(10));
    }

    #[test]
    fn a_refused_refresh_token_ends_the_session() {
        for number in [5, 9, 15, 27] {
            assert_eq!(of_tokens(result(number)), signed_out());
        }
        assert_eq!(of_tokens(result(84)), limited(Duration::from_mins(1)));
        assert_eq!(of_tokens(result(2)), unknown_result(2));
    }

    #[test]
    fn an_answer_is_a_message_or_a_result_or_proves_nothing() {
        let read = |answer: &ServiceAnswer| of::<Nothing>(answer).map(Result::err);
        assert_eq!(read(&answer(200, "1")), Ok(None));
        assert_eq!(read(&answer(200, "5")), Ok(Some(EResult::INVALID_PASSWORD)));
        assert_eq!(read(&answer(401, "1")), Err(signed_out()));
        assert_eq!(read(&answer(502, "1")), Err(ExternalError::Unknown("it answered 502".to_owned())));
    }
}
