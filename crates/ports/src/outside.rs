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
    /// It limits how often it may be called.
    #[error("rate limited, to be called again in {} s", retry_after.as_secs())]
    RateLimited {
        /// How long it accepts no call.
        retry_after: Duration,
        /// What the call has done all the same.
        effect: Effect,
    },
    /// It does not know us: the session ended or the key was revoked.
    #[error("the session ended or the key was revoked")]
    AuthLost {
        /// What the call has done all the same.
        effect: Effect,
    },
}

/// What an answer that turns a call away says of the call's effect.
///
/// Few systems document whether they look at limits and sign-ins before they act, and answers of 429 that came after the act have
/// been seen. So an adapter answers a write with [`Effect::Unknown`] unless it knows better; a read has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The call certainly did nothing: it was a read, it was not sent, or the system is known to turn calls away before it acts.
    Nothing,
    /// The call may have done what was asked.
    Unknown,
}

impl<R> OutsideError<R> {
    /// Whether the call certainly did nothing. Of a write that may have had its effect, everything stays reserved until the outcome
    /// is known.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tradepost_ports::outside::{Effect, OutsideError};
    ///
    /// let limited = |effect| OutsideError::<()>::RateLimited { retry_after: Duration::from_secs(30), effect };
    /// assert!(limited(Effect::Nothing).did_nothing());
    /// assert!(!limited(Effect::Unknown).did_nothing());
    /// ```
    pub const fn did_nothing(&self) -> bool {
        match self {
            Self::Definite(_) => true,
            Self::Unknown(_) => false,
            Self::RateLimited { effect, .. } | Self::AuthLost { effect } => matches!(effect, Effect::Nothing),
        }
    }
}
