//! Shapes of answers that several operations share.

use std::collections::HashMap;
use std::ops::Deref;

use tradepost_domain::id::Id;
use tradepost_ports::changes::{Revised, Seen};
use tradepost_ports::record::Record;
use tradepost_ports::store::StatusCounts;

use crate::{OpError, OpResult, Reason};

/// A record with its revision counter, which starts at 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versioned<T> {
    /// The record.
    pub value: T,
    /// Its version.
    pub version: i64,
}

impl<T> Versioned<T> {
    /// Returns a record that was just created.
    pub(crate) const fn new(value: T) -> Self {
        Self { value, version: 1 }
    }
}

impl<T: Record> From<Seen<T>> for Versioned<T> {
    fn from(seen: Seen<T>) -> Self {
        let (value, version) = seen.into_display();
        Self { value, version }
    }
}

impl<T> From<Revised<T>> for Versioned<T> {
    fn from(revised: Revised<T>) -> Self {
        Self { value: revised.value, version: revised.version }
    }
}

/// The response of a batch get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch<T, K> {
    /// The records found, in the order asked for.
    pub found: Vec<Versioned<T>>,
    /// The ids for which there is no record in this workspace, in the order asked for.
    pub missing: Vec<Id<K>>,
}

impl<T: Record, K> Batch<T, K> {
    /// Sorts the found records into the requested order.
    pub(crate) fn in_order(ids: Vec<Id<K>>, found: Vec<Seen<T>>, id_of: impl Fn(&T) -> Id<K>) -> Self {
        let (found, missing) = in_order(ids, found, |seen| id_of(seen.peek()));
        Self { found: found.into_iter().map(Into::into).collect(), missing }
    }
}

/// Returns the found records in the requested order, and the ids without a record.
pub(crate) fn in_order<T, K>(ids: Vec<Id<K>>, found: Vec<T>, id_of: impl Fn(&T) -> Id<K>) -> (Vec<T>, Vec<Id<K>>) {
    let mut by_id: HashMap<Id<K>, T> = found.into_iter().map(|found| (id_of(&found), found)).collect();
    let (mut ordered, mut missing) = (Vec::with_capacity(by_id.len()), Vec::new());
    for id in ids {
        match by_id.remove(&id) {
            Some(found) => ordered.push(found),
            None => missing.push(id),
        }
    }
    (ordered, missing)
}

/// A page of something, with the cursor of the next one; empty when there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOf<T> {
    /// The entries of the page.
    pub entries: Vec<T>,
    /// The cursor of the next page, empty on the last.
    pub next_cursor: String,
}

/// The number of records in a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusCount<S> {
    /// The status.
    pub status: S,
    /// The number.
    pub count: i64,
}

/// The numbers of records in each status: one entry for every status in order, zeros included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusTally<S> {
    /// The numbers.
    pub counts: Vec<StatusCount<S>>,
    /// Whether there are further records: only the newest ones were counted.
    pub truncated: bool,
}

impl<S: Copy + PartialEq> StatusTally<S> {
    /// Returns the numbers of the wanted statuses, of every status if none is wanted.
    pub(crate) fn of(all: &[S], code: fn(S) -> i16, wanted: &[S], counted: &StatusCounts) -> Self {
        let mut counts = every_status(all, code, &counted.counts);
        let left_out = counts.iter_mut().filter(|count| !wanted.is_empty() && !wanted.contains(&count.status));
        left_out.for_each(|count| count.count = 0);
        Self { counts, truncated: counted.truncated }
    }
}

impl<S> Deref for StatusTally<S> {
    type Target = [StatusCount<S>];

    fn deref(&self) -> &Self::Target {
        &self.counts
    }
}

impl<S> IntoIterator for StatusTally<S> {
    type Item = StatusCount<S>;
    type IntoIter = std::vec::IntoIter<StatusCount<S>>;

    fn into_iter(self) -> Self::IntoIter {
        self.counts.into_iter()
    }
}

/// Returns one entry for every status in order, zeros included, from the counts by the statuses' stored numbers.
pub(crate) fn every_status<S: Copy>(all: &[S], code: fn(S) -> i16, counted: &[(i16, i64)]) -> Vec<StatusCount<S>> {
    let count_of = |status| counted.iter().filter(|(number, _)| *number == code(status)).map(|(_, count)| *count).sum();
    all.iter().map(|status| StatusCount { status: *status, count: count_of(*status) }).collect()
}

/// Checks that a record is at the version that the caller saw, if the caller says which.
pub(crate) fn require_version<T: Record>(seen: &Seen<T>, expected: Option<i64>) -> OpResult<()> {
    require_version_of(seen.stamp().version, expected)
}

/// Does the same for a record that counts its versions itself.
pub(crate) fn require_version_of(version: i64, expected: Option<i64>) -> OpResult<()> {
    match expected.filter(|expected| *expected != version) {
        None => Ok(()),
        Some(expected) => Err(OpError::failed_precondition(
            Reason::VersionMismatch,
            format!(
                "expectedVersion is {expected}, the record is at version {version}; read it again and decide again"
            ),
        )),
    }
}
