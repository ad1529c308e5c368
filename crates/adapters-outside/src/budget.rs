//! How often a service is called: a number of calls in a window of time and a gap between two of them, over all tasks of the process.
//! It waits for nothing: a caller that is too early gets the time to wait.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tradepost_domain::markets::provider::RateLimit;
use tradepost_domain::text::{Name, TextError};

/// At most this number of calls in any window of this length, and never two within a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The calls.
    pub calls: u32,
    /// The window.
    pub window: Duration,
    /// The time between the beginnings of two calls. Some services punish a burst, whatever the rate.
    pub gap: Duration,
}

impl Budget {
    /// Returns the budget as a driver describes it, under a name for calls of this kind.
    ///
    /// # Errors
    /// [`TextError`] when the text cannot be a name.
    pub fn rate_limit(self, name: &str) -> Result<RateLimit, TextError> {
        let seconds = u32::try_from(self.window.as_secs()).unwrap_or(u32::MAX);
        Ok(RateLimit { name: Name::new(name)?, calls: self.calls, seconds })
    }
}

/// A call that may be made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Whether no other call was made in the window before it.
    pub(crate) is_at_rest: bool,
}

/// The calls of a budget.
#[derive(Debug)]
pub(crate) struct Pacer {
    budget: Budget,
    state: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    made: VecDeque<Instant>,
    closed_until: Option<Instant>,
}

impl Pacer {
    pub(crate) const fn of(budget: Budget) -> Self {
        Self { budget, state: Mutex::new(Spent { made: VecDeque::new(), closed_until: None }) }
    }

    /// Takes a call of the budget; the time to wait where there is none now.
    pub(crate) fn take(&self, now: Instant) -> Result<Turn, Duration> {
        let mut spent = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = spent.closed_until.filter(|until| *until > now) {
            return Err(until.duration_since(now));
        }
        while spent.made.front().is_some_and(|at| now.duration_since(*at) >= self.budget.window) {
            spent.made.pop_front();
        }
        if spent.made.len() >= self.budget.calls as usize {
            let oldest = spent.made.front().map_or(Duration::ZERO, |at| now.duration_since(*at));
            return Err(self.budget.window.saturating_sub(oldest));
        }
        let since_last = spent.made.back().map(|at| now.saturating_duration_since(*at));
        if let Some(early) = since_last.filter(|since| *since < self.budget.gap) {
            return Err(self.budget.gap.saturating_sub(early));
        }
        let turn = Turn { is_at_rest: spent.made.is_empty() };
        spent.made.push_back(now);
        Ok(turn)
    }

    /// Makes no call for a time, because the service asks for it. A shorter time never shortens a longer one.
    pub(crate) fn close(&self, now: Instant, pause: Duration) {
        let mut spent = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let until = now.checked_add(pause);
        spent.closed_until = spent.closed_until.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_mins(5);

    fn pacer() -> Pacer {
        Pacer::of(Budget { calls: 2, window: WINDOW, gap: Duration::ZERO })
    }

    #[test]
    fn a_window_has_its_calls_and_then_says_how_long_to_wait() {
        let (pacer, now) = (pacer(), Instant::now());
        assert_eq!(pacer.take(now), Ok(Turn { is_at_rest: true }));
        let later = now + Duration::from_secs(100);
        assert_eq!(pacer.take(later), Ok(Turn { is_at_rest: false }));
        assert_eq!(pacer.take(later), Err(Duration::from_secs(200)));
        assert_eq!(pacer.take(now + WINDOW), Ok(Turn { is_at_rest: false }));
    }

    #[test]
    fn two_calls_are_a_gap_apart_whatever_the_window_has_left() {
        let gap = Duration::from_millis(300);
        let (pacer, now) = (Pacer::of(Budget { calls: 100, window: WINDOW, gap }), Instant::now());
        assert_eq!(pacer.take(now), Ok(Turn { is_at_rest: true }));
        let early = now + Duration::from_millis(299);
        assert_eq!(pacer.take(early), Err(Duration::from_millis(1)));
        assert_eq!(pacer.take(now + gap), Ok(Turn { is_at_rest: false }));
        assert_eq!(pacer.take(now + gap), Err(gap), "the gap begins with the call that was made");
    }

    #[test]
    fn a_pause_that_the_service_asks_for_is_kept_and_never_shortened() {
        let (pacer, now) = (pacer(), Instant::now());
        pacer.close(now, Duration::from_mins(1));
        pacer.close(now, Duration::from_secs(5));
        assert_eq!(pacer.take(now), Err(Duration::from_mins(1)));
        assert_eq!(pacer.take(now + Duration::from_mins(1)), Ok(Turn { is_at_rest: true }));
    }
}
