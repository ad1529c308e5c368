//! Pages of lists.

use tradepost_domain::id::Id;

/// The requested page of a list, newest first by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<K> {
    /// Only records created before this one; absent for the first page.
    pub before: Option<Id<K>>,
    /// The most ids on the page, at least 1.
    pub limit: u32,
}

/// A page of ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<K> {
    /// The ids, newest first.
    pub ids: Vec<Id<K>>,
    /// Whether there are more after the last one.
    pub more: bool,
    /// The last record that was looked at, where the read ended before the page was full: the list continues after it.
    pub looked_to: Option<Id<K>>,
}

impl<K> Page<K> {
    /// Returns the page of ids that were read with one more than the limit.
    #[must_use]
    pub fn of(mut ids: Vec<Id<K>>, limit: u32) -> Self {
        let limit = limit as usize;
        let more = ids.len() > limit;
        ids.truncate(limit);
        Self { ids, more, looked_to: None }
    }

    /// Returns the page of a read that ended at a record before the page was full.
    #[must_use]
    pub const fn short(ids: Vec<Id<K>>, looked_to: Id<K>) -> Self {
        Self { ids, more: true, looked_to: Some(looked_to) }
    }

    /// Returns the record after which the list continues; `None` at its end.
    pub fn next(&self) -> Option<Id<K>> {
        self.looked_to.or_else(|| self.ids.last().copied()).filter(|_| self.more)
    }
}

/// How many records a list looks at for one page, where a filter has no index of its own.
pub const MOST_LOOKED_AT: u32 = 5_000;

/// How many records of a filter are in each status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusCounts {
    /// The stored number of a status, and how many are in it.
    pub counts: Vec<(i16, i64)>,
    /// Whether there are further records: the counts are of the newest [`MOST_LOOKED_AT`].
    pub truncated: bool,
}

/// A slice of the records, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordBatch<K> {
    /// Only records created after this one.
    pub after: Option<Id<K>>,
    /// The most records.
    pub most: u32,
}
