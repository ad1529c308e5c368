//! The pace of calls: a number of them a second, over all tasks of the process.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Hands out places in time that are at least a gap apart.
#[derive(Debug)]
pub(crate) struct Pace {
    gap: Duration,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    pub(crate) const fn of(gap: Duration) -> Self {
        Self { gap, next: Mutex::new(None) }
    }

    /// Waits for the next place.
    pub(crate) async fn turn(&self) {
        sleep_until(self.reserve(Instant::now())).await;
    }

    fn reserve(&self, now: Instant) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let at = next.map_or(now, |next| next.max(now));
        *next = at.checked_add(self.gap);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn calls_of_many_tasks_are_a_gap_apart() {
        let pace = Pace::of(Duration::from_millis(10));
        let begun = Instant::now();
        for _ in 0..101 {
            pace.turn().await;
        }
        assert_eq!(begun.elapsed(), Duration::from_secs(1));
    }
}
