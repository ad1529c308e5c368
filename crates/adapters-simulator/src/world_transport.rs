//! The way from an adapter to a world: in process it cannot fail, over the wire it can.

use std::time::Duration;

use async_trait::async_trait;
use tradepost_ports::external::{Effect, ExternalError};

use crate::call::{Answer, Request};

/// Hands requests to a world.
#[async_trait]
pub trait WorldTransport: Clone + Send + Sync + 'static {
    /// What the world answers.
    ///
    /// # Errors
    /// [`WorldTransportError`] says whether the request can have reached it.
    async fn ask(&self, request: Request) -> Result<Answer, WorldTransportError>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorldTransportError {
    /// There was no connection: the request certainly was not sent.
    #[error("the simulator cannot be reached: {why}")]
    NotReached {
        /// Why not.
        why: String,
        /// After how much of the world's time it is worth another try.
        retry_after: Duration,
    },
    /// The request may have been sent, and no answer that can be understood came back.
    #[error("no answer of the simulator: {0}")]
    NoAnswer(String),
}

/// What fails on the line looks as it does with a real system. A request that certainly was not sent is
/// [`ExternalError::RateLimited`] without effect, the one error that says both that nothing was done and that asking again soon makes sense:
/// a refusal would end a purchase permanently that no marketplace has refused.
impl<R> From<WorldTransportError> for ExternalError<R> {
    fn from(error: WorldTransportError) -> Self {
        match error {
            WorldTransportError::NotReached { retry_after, .. } => {
                Self::RateLimited { retry_after, effect: Effect::Nothing }
            }
            WorldTransportError::NoAnswer(why) => Self::Unknown(why),
        }
    }
}

/// The value in an answer, or the failure. An answer to another question is none.
pub(crate) fn expected<T, R>(
    answer: Answer,
    failure: impl FnOnce(Answer) -> Option<ExternalError<R>>,
) -> Result<T, ExternalError<R>>
where
    T: TryFrom<Answer, Error = Answer>,
{
    T::try_from(answer).map_err(|other| {
        failure(other).unwrap_or_else(|| ExternalError::Unknown("it answered something else than was asked".to_owned()))
    })
}
