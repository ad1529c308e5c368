//! Whether a service refuses this client, as its answers show. It decides nothing about calls.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long a refusal counts after it was seen last. Nothing shows later whether it lasts.
const REMEMBERED: Duration = Duration::from_hours(1);

/// When a service last refused this client, unless it has answered since.
#[derive(Debug, Default)]
pub(super) struct Refusal(Mutex<Option<Instant>>);

impl Refusal {
    /// Takes in an answer other than 429.
    pub(super) fn answered(&self) {
        *self.seen_at() = None;
    }

    /// Takes in a 429 that names no time. One that follows other calls may be about their pace: it shows that a refusal lasts, and begins none.
    pub(super) fn limited(&self, now: Instant, is_at_rest: bool) {
        if is_at_rest || self.is_in_force(now) {
            *self.seen_at() = Some(now);
        }
    }

    pub(super) fn is_in_force(&self, now: Instant) -> bool {
        let seen_at = *self.seen_at();
        seen_at.is_some_and(|at| now.saturating_duration_since(at) < REMEMBERED)
    }

    fn seen_at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALMOST: Duration = Duration::from_mins(59);

    #[test]
    fn a_refusal_begins_at_rest_and_ends_with_an_answer() {
        let (refusal, now) = (Refusal::default(), Instant::now());
        refusal.limited(now, false);
        assert!(!refusal.is_in_force(now));
        refusal.limited(now, true);
        assert!(refusal.is_in_force(now));
        refusal.answered();
        assert!(!refusal.is_in_force(now));
    }

    #[test]
    fn a_refusal_counts_for_an_hour_after_it_was_seen_last() {
        let (refusal, now) = (Refusal::default(), Instant::now());
        refusal.limited(now, true);
        assert!(refusal.is_in_force(now + ALMOST));
        refusal.limited(now + ALMOST, false);
        assert!(refusal.is_in_force(now + REMEMBERED), "it was seen again");
        let later = now + ALMOST + REMEMBERED;
        assert!(!refusal.is_in_force(later));
        refusal.limited(later, false);
        assert!(!refusal.is_in_force(later), "it may be about the pace");
    }
}
