//! How calls to marketplaces and to the game platform fail: what is known of their effect decides what may be done next.

use std::time::Duration;

/// Why a call gave no answer that can be used. `R` are the refusals of the system that was called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutsideError<R> {
    /// It refused, and certainly did nothing.
    #[error("refused: {0}")]
    Definite(R),
    /// It may have done what was asked or not: a timeout, a broken answer, a failure of its own. Read how things are before
    /// anything is asked again.
    #[error("nobody knows whether it was done: {0}")]
    Unknown(String),
    /// It certainly did nothing, since it was asked too much.
    #[error("asked too much, to be asked again in {} s", retry_after.as_secs())]
    RateLimited {
        /// How long it wants to be left alone.
        retry_after: Duration,
    },
    /// It certainly did nothing, since it does not know us any more: the session ended or the key was revoked.
    #[error("it does not know us any more")]
    AuthLost,
}
