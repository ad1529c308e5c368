//! Reads of the log of status changes: by time, and in the order in which it is watched.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfTransition, TransitionId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, SubjectKind, Transition};

use crate::store::{Page, PageRequest, StoreResult};

/// Which status changes to list.
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
/// Ids tell in which order changes were decided, not in which they were committed. So each change gets a position once it is committed: a
/// change that can be read at a position has every one that will ever be before it readable as well.
#[async_trait]
pub trait TransitionLog: Send + Sync {
    /// The status changes of a record, the oldest first.
    async fn list_transitions(
        &self,
        scope: WorkspaceScope,
        subject: Subject,
        limit: u32,
    ) -> StoreResult<Vec<Transition>>;
    /// Several changes of records of these kinds, in no order; those that are not there are left out.
    async fn find_transitions(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        ids: &[TransitionId],
    ) -> StoreResult<Vec<Transition>>;
    /// Changes in the workspace, the newest first.
    async fn list_transition_ids(
        &self,
        scope: WorkspaceScope,
        filter: TransitionFilter<'_>,
        page: PageRequest<OfTransition>,
    ) -> StoreResult<Page<OfTransition>>;
    /// The position of a change; `None` as long as it has none, and once it is forgotten.
    async fn find_transition_place(&self, scope: WorkspaceScope, id: TransitionId) -> StoreResult<Option<i64>>;
    /// Changes of records of these kinds behind a position, in order. The first position is 1.
    async fn list_transitions_after(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        position: i64,
        limit: u32,
    ) -> StoreResult<Vec<Transition>>;
    /// Changes of records of these kinds that were written down at this time of the server or later, in the order of their positions.
    async fn list_transitions_since(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Transition>>;
    /// The change of a record of these kinds that has the last position.
    async fn find_last_transition(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
    ) -> StoreResult<Option<TransitionId>>;
    /// Gives committed changes of whichever workspaces their positions, a bounded number at a time, unless another process is
    /// doing so; answers the last position given by anybody, 0 before the first.
    async fn place_transitions(&self) -> StoreResult<i64>;
    /// Looks at the next positions of whichever workspaces behind one, at most so many and up to the first of a change that was
    /// not written down before this time of the server, and forgets those before them of the same workspace and kind of record: the last of each
    /// kind that was looked at stays. Answers the last position that was looked at, or the one behind which there was none, and how many
    /// were forgotten. Whoever begins at 0 and goes on from each answer has forgotten all but those that stay.
    async fn forget_places(&self, after: i64, before: Timestamp, most: u32) -> StoreResult<(i64, u64)>;
}
