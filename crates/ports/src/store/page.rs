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
}

/// A slice of the records, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordBatch<K> {
    /// Only records created after this one.
    pub after: Option<Id<K>>,
    /// The most records.
    pub most: u32,
}
