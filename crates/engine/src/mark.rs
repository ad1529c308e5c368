//! Spans of time as the engine measures them: by a clock that never goes back, however the clock that shows the time is set.

use std::time::Duration as Std;

use time::Duration;
use tradepost_ports::clock::Clock;

use crate::Engine;

/// A moment that spans are measured from. It is no point in time, and does not outlive the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(Std);

impl Mark {
    /// This moment.
    pub(crate) fn of(clock: &dyn Clock) -> Self {
        Self(clock.elapsed())
    }

    /// The time from an earlier moment to this one.
    pub(crate) fn since(self, earlier: Self) -> Duration {
        Duration::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(Duration::MAX)
    }

    /// A later moment.
    pub(crate) fn plus(self, by: Duration) -> Self {
        Self(self.0.saturating_add(by.max(Duration::ZERO).unsigned_abs()))
    }
}

impl Engine {
    pub(crate) fn mark(&self) -> Mark {
        Mark::of(self.clock.as_ref())
    }
}
