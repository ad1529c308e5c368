//! Spans of time as the engine measures them: by a clock that never goes back, however the clock that shows the time is set.

use std::sync::Arc;
use std::time::Duration as Std;

use time::Duration;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::MarketClock;

/// A moment from which spans are measured. It is not a time of day, and does not outlive the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(Std);

impl Mark {
    /// This moment.
    pub(crate) fn of(clock: &dyn MarketClock) -> Self {
        Self(clock.market_elapsed())
    }

    /// A moment for tests, which measure spans from it.
    #[cfg(test)]
    pub(crate) const START: Self = Self(Std::ZERO);

    /// The time from an earlier moment to this one.
    pub(crate) fn since(self, earlier: Self) -> Duration {
        Duration::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(Duration::MAX)
    }

    /// A later moment.
    pub(crate) fn plus(self, by: Duration) -> Self {
        Self(self.0.saturating_add(by.max(Duration::ZERO).unsigned_abs()))
    }
}

/// The market's clock, and when the engine began to read it.
pub(crate) struct EngineClock {
    clock: Arc<dyn MarketClock>,
    began: (Timestamp, Mark),
}

impl EngineClock {
    pub(crate) fn new(clock: Arc<dyn MarketClock>) -> Self {
        let began = (clock.market_now(), Mark::of(clock.as_ref()));
        Self { clock, began }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.market_now()
    }

    /// The kind of market whose time it is.
    pub(crate) fn kind(&self) -> MarketKind {
        self.clock.kind()
    }

    /// By how much the clock was set since it was first read; negative where it was set back.
    pub(crate) fn set_by(&self, tolerance: Duration) -> Duration {
        let (then, began) = self.began;
        let set_by = self.now().since(then) - self.mark().since(began);
        if set_by.abs() < tolerance { Duration::ZERO } else { set_by }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark::of(self.clock.as_ref())
    }
}

/// Whether it is time to ask again.
pub(crate) fn is_due(last: Option<&Mark>, now: Mark, every: Duration) -> bool {
    last.is_none_or(|last| now.since(*last) >= every)
}
