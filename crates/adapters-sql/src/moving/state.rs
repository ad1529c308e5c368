//! How far a move has come.

use std::collections::BTreeMap;

use super::tuple::Digest;

/// How far the copy of a table is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct State {
    /// The rows that are copied: the first ones of the table.
    pub(super) rows: u64,
    /// The sum of their digests.
    pub(super) digest: Digest,
    /// Whether they are all.
    pub(super) is_done: bool,
}

/// The states of the tables, by their names.
pub(super) type States = BTreeMap<String, State>;

impl State {
    pub(super) fn add(&mut self, tuple: &[u8]) {
        self.digest.add(tuple);
        self.rows += 1;
    }
}

/// How many rows are copied.
pub(super) fn rows_of(states: &States) -> u64 {
    states.values().map(|state| state.rows).sum()
}
