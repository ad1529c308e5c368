//! When the database was lost, and that it is back: one line of the log for each, however many calls fail in between.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::classify::Loss;

/// What a statement was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Reading,
    Writing,
}

/// Whether the database is lost now, and since when.
#[derive(Debug)]
pub(crate) struct Outage {
    start: Instant,
    /// When the latest of the answered statements had begun, in microseconds since the start.
    answered: AtomicU64,
    /// The same as the state, to be looked at without waiting.
    is_open: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: Option<(Instant, Loss)>,
    ended: Option<Instant>,
}

impl State {
    fn includes(&self, began: Instant) -> bool {
        self.open.is_some() || self.ended.is_some_and(|ended| began <= ended)
    }
}

impl Outage {
    pub(crate) fn new() -> Self {
        let (answered, is_open) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { start: Instant::now(), answered, is_open, state: Mutex::default() }
    }

    /// Whether a statement was answered that had begun after this time.
    pub(crate) fn was_answered_since(&self, time: Instant) -> bool {
        self.answered.load(Ordering::Relaxed) > self.micros(time)
    }

    /// Whether the database is lost, or was lost after this time: a statement that had begun then and fails is a part of that outage.
    pub(crate) fn includes(&self, began: Instant) -> bool {
        self.state().includes(began)
    }

    fn micros(&self, time: Instant) -> u64 {
        u64::try_from(time.duration_since(self.start).as_micros()).unwrap_or(u64::MAX)
    }

    /// Records that a statement failed that had begun at this time. Returns whether the database was lost by that.
    pub(crate) fn begin(&self, began: Instant, loss: Loss, why: &str) -> bool {
        let mut state = self.state();
        if state.includes(began) {
            return false;
        }
        state.open = Some((Instant::now(), loss));
        self.is_open.store(true, Ordering::SeqCst);
        tracing::error!(why, "database lost");
        true
    }

    /// Records that a statement was answered that had begun at this time. Returns for how long the database had been lost, where it is back by
    /// that.
    pub(crate) fn end(&self, began: Instant, purpose: Purpose) -> Option<Duration> {
        self.answered.store(self.micros(began), Ordering::Relaxed);
        if !self.is_open.load(Ordering::SeqCst) {
            return None;
        }
        let mut state = self.state();
        let (since, loss) = state.open?;
        // A server that accepts no writes answers reads; and what had begun before says nothing of now.
        if began < since || (loss == Loss::ReadOnly && purpose == Purpose::Reading) {
            return None;
        }
        let lost_for = since.elapsed();
        *state = State { open: None, ended: Some(Instant::now()) };
        self.is_open.store(false, Ordering::SeqCst);
        tracing::info!(lost_for_seconds = format!("{:.1}", lost_for.as_secs_f64()), "database back");
        Some(lost_for)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_begins_once_however_many_calls_fail_and_ends_with_the_first_answer() {
        let outage = Outage::new();
        let before = Instant::now();
        assert!(outage.begin(before, Loss::OutOfReach, "connection refused"));
        assert!(!outage.begin(Instant::now(), Loss::OutOfReach, "connection refused"));
        assert_eq!(outage.end(before, Purpose::Writing), None, "what had begun before the outage does not end it");
        assert!(outage.end(Instant::now(), Purpose::Reading).is_some());
        assert_eq!(outage.end(Instant::now(), Purpose::Reading), None);
        assert!(!outage.begin(before, Loss::OutOfReach, "reset"), "what had begun before it ended is a part of it");
        assert!(outage.begin(Instant::now(), Loss::OutOfReach, "connection refused"));
    }

    #[test]
    fn what_began_while_the_database_was_lost_is_a_part_of_the_outage_also_after_its_end() {
        let outage = Outage::new();
        let before = Instant::now();
        assert!(!outage.includes(before), "nothing was lost yet");
        assert!(outage.begin(before, Loss::OutOfReach, "connection refused"));
        let while_lost = Instant::now();
        assert!(outage.includes(while_lost));
        assert!(outage.end(Instant::now(), Purpose::Reading).is_some());
        assert!(outage.includes(while_lost));
        assert!(!outage.includes(Instant::now()));
    }

    #[test]
    fn a_server_that_accepts_no_writes_is_back_when_it_accepts_one() {
        let outage = Outage::new();
        assert!(outage.begin(Instant::now(), Loss::ReadOnly, "read-only"));
        assert_eq!(outage.end(Instant::now(), Purpose::Reading), None);
        assert!(outage.end(Instant::now(), Purpose::Writing).is_some());
    }
}
