//! Reads of the log of status changes: by time, and in the order in which watchers read it.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfTransition, TransitionId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, SubjectKind, Transition};

use crate::store::{Page, PageRequest, StatusCounts, StoreResult};

/// The status changes to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransitionFilter<'a> {
    /// Of records of these kinds, at least one.
    pub kinds: &'a [SubjectKind],
    /// Only of the record with these bytes as its id.
    pub subject_id: Option<[u8; 16]>,
    /// Only at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// The log of status changes.
///
/// Ids give the order of decisions, not of commits. So each change gets a position once it is committed. If a change can be read at a
/// position, every change that will ever have an earlier position can be read as well.
#[async_trait]
pub trait TransitionLog: Send + Sync {
    /// Returns the status changes of a record, the oldest first.
    async fn list_of(&self, scope: WorkspaceScope, subject: Subject, limit: u32) -> StoreResult<Vec<Transition>>;
    /// Returns several changes of records of these kinds, in no order; missing ones are left out.
    async fn find_many(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        ids: &[TransitionId],
    ) -> StoreResult<Vec<Transition>>;
    /// Returns changes in the workspace, the newest first.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: TransitionFilter<'_>,
        page: PageRequest<OfTransition>,
    ) -> StoreResult<Page<OfTransition>>;
    /// Counts changes in the workspace by the kind of their record, the newest [`MOST_LOOKED_AT`](crate::store::MOST_LOOKED_AT) of them.
    async fn count(&self, scope: WorkspaceScope, filter: TransitionFilter<'_>) -> StoreResult<StatusCounts>;
    /// Returns the position of a change; `None` before it has one, and once it is deleted.
    async fn find_place(&self, scope: WorkspaceScope, id: TransitionId) -> StoreResult<Option<i64>>;
    /// Returns changes of records of these kinds behind a position, in order. The first position is 1.
    async fn list_after(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        position: i64,
        limit: u32,
    ) -> StoreResult<Vec<Transition>>;
    /// Returns changes of records of these kinds that were written at this server time or later, in the order of their positions.
    async fn list_since(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Transition>>;
    /// Returns the change of a record of these kinds that has the last position.
    async fn find_last(&self, scope: WorkspaceScope, kinds: &[SubjectKind]) -> StoreResult<Option<TransitionId>>;
    /// Assigns positions to committed changes of all workspaces, a bounded number at a time, unless another process is doing so. Returns
    /// the last position that any process assigned, 0 before the first.
    async fn place(&self) -> StoreResult<i64>;
    /// Reads the next positions of all workspaces behind `after`, at most `most`. It stops at the first change that was not written before
    /// the server time `before`. Deletes the earlier positions of the same workspace and kind of record: the last of each kind that was
    /// read remains. Returns the last position that was read, or `after` if there was none behind it, and the number of deleted positions.
    /// A caller that begins at 0 and continues from each answer deletes all but those that remain.
    async fn forget_places(&self, after: i64, before: Timestamp, most: u32) -> StoreResult<(i64, u64)>;
}
