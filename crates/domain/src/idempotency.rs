//! Idempotency keys: a call that was carried out under a key is not carried out again, and answers as it did.

use time::Duration;

use crate::id::ExecutionId;
use crate::time::Timestamp;

/// How long a key identifies the call that was executed under it.
pub const LIFE: Duration = Duration::hours(24);

/// How long an answer with a secret in it is kept.
pub const SECRET_LIFE: Duration = Duration::minutes(10);

/// How long the answer of an executed call may be outstanding. Longer than the longest call.
const ANSWER_PENDING_FOR: Duration = Duration::minutes(1);

/// A call that was carried out under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// Identifies the caller, the operation and the key.
    pub id: ExecutionId,
    /// Digest of the request.
    pub request: [u8; 32],
    /// What was answered, sealed; absent until it is known, and once it is not kept any longer.
    pub sealed: Option<Vec<u8>>,
    /// Until when the answer is kept.
    pub kept_until: Timestamp,
    /// When the call was begun.
    pub created_at: Timestamp,
}

/// Why a call is not carried out under a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyReuseError {
    /// The key was used with another request.
    #[error("this idempotency key was used with another request; take a new key")]
    OtherRequest,
    /// The first call is not answered yet.
    #[error("a call with this idempotency key is in progress; try again in a moment")]
    InProgress,
    /// The call was carried out, and its answer is not kept.
    #[error(
        "the call with this idempotency key was carried out, and its answer is not kept any longer; read what it changed"
    )]
    AnswerRemoved,
}

impl Execution {
    /// A call that is about to be carried out.
    pub fn begun(id: ExecutionId, request: [u8; 32], at: Timestamp) -> Self {
        Self { id, request, sealed: None, kept_until: at.plus(LIFE), created_at: at }
    }

    /// The same with its answer.
    #[must_use]
    pub fn answered(self, sealed: Vec<u8>, is_secret: bool) -> Self {
        let life = if is_secret { SECRET_LIFE } else { LIFE };
        Self { sealed: Some(sealed), kept_until: self.created_at.plus(life), ..self }
    }

    /// The sealed answer for another call with the same key.
    ///
    /// # Errors
    /// [`KeyReuseError`] says why there is none.
    pub fn answer_to(&self, request: &[u8; 32], at: Timestamp) -> Result<&[u8], KeyReuseError> {
        if self.request != *request {
            return Err(KeyReuseError::OtherRequest);
        }
        match &self.sealed {
            Some(sealed) if at < self.kept_until => Ok(sealed),
            None if at < self.created_at.plus(ANSWER_PENDING_FOR) => Err(KeyReuseError::InProgress),
            Some(_) | None => Err(KeyReuseError::AnswerRemoved),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: [u8; 32] = [7; 32];

    fn begun() -> Execution {
        Execution::begun(ExecutionId::from_bytes([1; 16]), REQUEST, minute(0))
    }

    fn minute(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    #[test]
    fn an_answer_is_kept_for_a_day_and_one_with_a_secret_for_ten_minutes() {
        let (plain, secret) = (begun().answered(vec![1], false), begun().answered(vec![1], true));
        assert_eq!(plain.answer_to(&REQUEST, minute(24 * 60 - 1)), Ok([1].as_slice()));
        assert_eq!(plain.answer_to(&REQUEST, minute(24 * 60)), Err(KeyReuseError::AnswerRemoved));
        assert_eq!(secret.answer_to(&REQUEST, minute(9)), Ok([1].as_slice()));
        assert_eq!(secret.answer_to(&REQUEST, minute(10)), Err(KeyReuseError::AnswerRemoved));
    }

    #[test]
    fn another_request_is_rejected_with_or_without_an_answer() {
        for execution in [begun(), begun().answered(vec![1], false)] {
            assert_eq!(execution.answer_to(&[8; 32], minute(0)), Err(KeyReuseError::OtherRequest));
        }
    }

    #[test]
    fn a_missing_answer_is_removed_after_a_minute() {
        assert_eq!(begun().answer_to(&REQUEST, minute(0)), Err(KeyReuseError::InProgress));
        assert_eq!(begun().answer_to(&REQUEST, minute(1)), Err(KeyReuseError::AnswerRemoved));
    }
}
