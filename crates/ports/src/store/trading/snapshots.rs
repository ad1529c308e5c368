//! Reads of snapshots and of their items.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfSnapshot, OfSnapshotItem, SnapshotId};
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotItem, SnapshotNumber, SnapshotStatus};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, RecordBatch, StoreResult};

/// The snapshots to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SnapshotFilter {
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only in this status.
    pub status: Option<SnapshotStatus>,
}

/// Snapshots and the items that they show.
#[async_trait]
pub trait Snapshots: Send + Sync {
    /// Returns several snapshots, in no order; missing ones are left out.
    async fn find_snapshots(&self, scope: WorkspaceScope, ids: &[SnapshotId]) -> StoreResult<Vec<Seen<Snapshot>>>;
    /// Returns snapshots of the workspace.
    async fn list_snapshots(
        &self,
        scope: WorkspaceScope,
        filter: SnapshotFilter,
        page: PageRequest<OfSnapshot>,
    ) -> StoreResult<Page<OfSnapshot>>;
    /// Returns a slice of the snapshots in a status.
    async fn list_snapshots_in(
        &self,
        scope: WorkspaceScope,
        status: SnapshotStatus,
        slice: RecordBatch<OfSnapshot>,
    ) -> StoreResult<Vec<Seen<Snapshot>>>;
    /// Returns a slice of the snapshots of an account.
    async fn list_snapshots_of(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        slice: RecordBatch<OfSnapshot>,
    ) -> StoreResult<Vec<Seen<Snapshot>>>;
    /// Returns the complete snapshot of an account with the highest number below this one.
    async fn find_complete_before(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        number: SnapshotNumber,
    ) -> StoreResult<Option<Seen<Snapshot>>>;
    /// Returns the highest number that a snapshot of an account has; 0 without one.
    async fn last_snapshot_number(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<SnapshotNumber>;
    /// Returns a slice of the items that the snapshot of an account with this number shows.
    async fn list_items_at(
        &self,
        scope: WorkspaceScope,
        place: (AccountId, SnapshotNumber),
        slice: RecordBatch<OfSnapshotItem>,
    ) -> StoreResult<Vec<Seen<SnapshotItem>>>;
    /// Returns items of an account that no snapshot shows any longer, in no order.
    async fn list_unshown_items(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        most: u32,
    ) -> StoreResult<Vec<Seen<SnapshotItem>>>;
}
