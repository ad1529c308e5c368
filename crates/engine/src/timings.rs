//! How long a write may wait and a call may take. Proofs of absence depend on both.
//!
//! The engine looks in the external system for a recorded write without an answer, and writes it off once the
//! system has not shown it for a time. That proof holds for every process, also for one that takes over a lease in the middle of a
//! call, as long as the call has ended before: so a recorded write is submitted soon or never, and every call ends.

use std::time::Duration;

use tradepost_domain::contracts::purchase::LOOKUP_SPACING;

use crate::sales::listing_lifecycle::LISTING_TIMEOUT;
use crate::settlement::trade_offers::OFFER_TIMEOUT;

/// The bounds of calls to external systems. Whatever they are, a write has ended before its absence counts as proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineTimings {
    sent_within: Duration,
    call_within: Duration,
}

/// By this bound of calls a write could have its effect after its absence is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a call of {} s may end after its absence is proven: it is sent within {} s, and both together must be less than {} s",
    timings.call_within.as_secs_f64(),
    timings.sent_within.as_secs(),
    ABSENCE_PROVEN_AFTER.as_secs()
)]
pub struct UnsafeTimings {
    timings: EngineTimings,
}

/// The shortest time after which the engine takes it as proven that a purchase, a listing or an offer was never made.
const ABSENCE_PROVEN_AFTER: Duration =
    shorter(LOOKUP_SPACING.unsigned_abs(), shorter(LISTING_TIMEOUT.unsigned_abs(), OFFER_TIMEOUT.unsigned_abs()));

const _: () = assert!(EngineTimings::DEFAULT.are_safe(), "a write could have its effect after its absence is proven");

const fn shorter(one: Duration, other: Duration) -> Duration {
    if one.as_millis() < other.as_millis() { one } else { other }
}

impl EngineTimings {
    const DEFAULT: Self = Self { sent_within: Duration::from_secs(10), call_within: Duration::from_secs(30) };

    /// The same bounds, with another one for calls.
    ///
    /// # Errors
    /// [`UnsafeTimings`] if a call of this length could end after its absence is proven: from 50 s.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tradepost_engine::EngineTimings;
    ///
    /// assert!(EngineTimings::default().with_call_within(Duration::from_secs(49)).is_ok());
    /// assert!(EngineTimings::default().with_call_within(Duration::from_secs(50)).is_err());
    /// ```
    pub const fn with_call_within(self, call_within: Duration) -> Result<Self, UnsafeTimings> {
        let timings = Self { call_within, ..self };
        if timings.are_safe() { Ok(timings) } else { Err(UnsafeTimings { timings }) }
    }

    /// The engine sends a write within this time after it has recorded it, or not at all. 10 s.
    pub const fn sent_within(&self) -> Duration {
        self.sent_within
    }

    /// A call that has no answer within this time has an unknown outcome. Default 30 s.
    pub const fn call_within(&self) -> Duration {
        self.call_within
    }

    const fn are_safe(&self) -> bool {
        self.sent_within.as_millis() + self.call_within.as_millis() < ABSENCE_PROVEN_AFTER.as_millis()
    }
}

impl Default for EngineTimings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
