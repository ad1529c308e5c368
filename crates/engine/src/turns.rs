//! Steps that call the platform for one account or record after another: which of them a pass reaches.
//!
//! A pass takes a part of such a step that is bounded in time, and begins with what has waited longest. So a platform that may be called slowly
//! holds up no other step, and no account waits for ever.

use std::collections::BTreeMap;
use std::vec::IntoIter;

use time::Duration;
use tokio::time::Instant;

use crate::mark::Mark;

/// When each record last had its turn.
#[derive(Debug, Clone)]
pub(crate) struct Turns<K>(BTreeMap<K, Mark>);

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord> Turns<K> {
    /// When a record last had its turn.
    pub(crate) fn last(&self, key: &K) -> Option<&Mark> {
        self.0.get(key)
    }

    /// Notes that a record has its turn.
    pub(crate) fn note(&mut self, key: K, now: Mark) {
        self.0.insert(key, now);
    }

    /// Forgets the turns of all other records.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&K) -> bool) {
        self.0.retain(|key, _| is_kept(key));
    }

    /// Sorts records by their last turn: those without one come first. Others keep their order.
    pub(crate) fn sort<T>(&self, mut records: Vec<T>, key: impl Fn(&T) -> &K) -> Vec<T> {
        records.sort_by_key(|record| self.last(key(record)).copied());
        records
    }

    /// Returns records in that order, until the time is over.
    pub(crate) fn in_turn<T>(&self, records: Vec<T>, key: impl Fn(&T) -> &K, slice: TimeSlice) -> InTurn<T> {
        slice.of(self.sort(records, key))
    }
}

/// The time that a step has in one pass, by the monotonic clock of the process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeSlice {
    began: Instant,
    lasts: std::time::Duration,
}

impl TimeSlice {
    /// Begins now.
    pub(crate) fn begin(lasts: Duration) -> Self {
        Self { began: Instant::now(), lasts: lasts.unsigned_abs() }
    }

    /// Returns records until the time is over.
    pub(crate) fn of<T>(self, records: Vec<T>) -> InTurn<T> {
        InTurn { records: records.into_iter(), slice: self }
    }

    fn is_over(self) -> bool {
        self.began.elapsed() >= self.lasts
    }
}

/// Records, as far as the time suffices. A record that was begun is completed, however long that takes.
#[derive(Debug)]
pub(crate) struct InTurn<T> {
    records: IntoIter<T>,
    slice: TimeSlice,
}

impl<T> InTurn<T> {
    /// Returns the records that were not reached.
    pub(crate) fn left(self) -> Vec<T> {
        self.records.collect()
    }
}

impl<T> Iterator for InTurn<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.slice.is_over() { None } else { self.records.next() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LASTS: Duration = Duration::seconds(5);

    fn mark(seconds: i64) -> Mark {
        Mark::START.plus(Duration::seconds(seconds))
    }

    /// Takes what a pass reaches of four records that take two seconds each.
    async fn taken(turns: &mut Turns<u32>, clock: &mut i64) -> Vec<u32> {
        let mut taken = Vec::new();
        for record in turns.in_turn(vec![1, 2, 3, 4], |record| record, TimeSlice::begin(LASTS)) {
            turns.note(record, mark(*clock));
            taken.push(record);
            tokio::time::advance(std::time::Duration::from_secs(2)).await;
            *clock += 2;
        }
        taken
    }

    #[tokio::test(start_paused = true)]
    async fn a_pass_takes_what_the_time_suffices_for_and_the_next_one_begins_with_the_rest() {
        let (mut turns, mut clock, mut passes) = (Turns::default(), 0, Vec::new());
        for _ in 0..4 {
            passes.push(taken(&mut turns, &mut clock).await);
        }
        assert_eq!(passes, [[1, 2, 3], [4, 1, 2], [3, 4, 1], [2, 3, 4]]);
    }

    #[tokio::test(start_paused = true)]
    async fn records_that_were_not_reached_are_known() {
        let mut records = TimeSlice::begin(LASTS).of(vec![1, 2, 3]);
        assert_eq!(records.next(), Some(1));
        tokio::time::advance(LASTS.unsigned_abs()).await;
        assert_eq!((records.next(), records.left()), (None, vec![2, 3]));
    }

    #[test]
    fn a_record_whose_turn_is_forgotten_is_first_again() {
        let mut turns = Turns::default();
        turns.note(1, mark(1));
        turns.note(2, mark(2));
        assert_eq!(turns.sort(vec![2, 1, 3], |record| record), [3, 1, 2]);
        turns.retain(|record| *record == 1);
        assert_eq!(turns.sort(vec![2, 1], |record| record), [2, 1]);
        assert_eq!((turns.last(&1), turns.last(&2)), (Some(&mark(1)), None));
    }
}
