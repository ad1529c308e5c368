//! Whether a service refuses this client, as its answers show. It decides nothing about calls.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long a refusal counts after it was seen last. Nothing shows later whether it lasts.
const REMEMBERED: Duration = Duration::from_hours(1);

/// What the answers of a service since the last other one than 429 show.
#[derive(Debug, Default)]
pub(super) struct Refusal(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// When the service last refused this client.
    refused_at: Option<Instant>,
    /// Whether it has limited a call without naming a time.
    is_limited: bool,
}

impl Seen {
    fn is_in_force(&self, now: Instant) -> bool {
        self.refused_at.is_some_and(|at| now.saturating_duration_since(at) < REMEMBERED)
    }
}

impl Refusal {
    /// Takes in an answer other than 429.
    pub(super) fn answered(&self) {
        *self.seen() = Seen::default();
    }

    /// Takes in a 429 that names no time. One that follows other calls may be about their pace: it shows that a refusal lasts, and begins none.
    /// Returns whether it is the second one in a row and nothing shows yet whether the pace is why.
    pub(super) fn limited(&self, now: Instant, is_at_rest: bool) -> bool {
        let mut seen = self.seen();
        if is_at_rest || seen.is_in_force(now) {
            seen.refused_at = Some(now);
        }
        let was_limited = std::mem::replace(&mut seen.is_limited, true);
        was_limited && !seen.is_in_force(now)
    }

    pub(super) fn is_in_force(&self, now: Instant) -> bool {
        self.seen().is_in_force(now)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
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
    fn two_limits_in_a_row_say_nothing_of_the_pace_until_one_comes_at_rest() {
        let (refusal, now) = (Refusal::default(), Instant::now());
        assert!(!refusal.limited(now, false));
        assert!(refusal.limited(now, false));
        assert!(!refusal.limited(now, true), "it is a refusal");
        assert!(!refusal.limited(now, false), "the refusal lasts");
        refusal.answered();
        assert!(!refusal.limited(now, false), "the first after an answer");
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
