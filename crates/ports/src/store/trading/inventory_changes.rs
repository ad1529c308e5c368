//! Reads of inventory changes.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, InventoryChangeId, OfInventoryChange, SnapshotId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::inventory_change::{ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::ChangeKind;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, RecordBatch, StoreResult};

/// The inventory changes to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InventoryChangeFilter {
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only of this kind.
    pub kind: Option<ChangeKind>,
    /// Only in this status.
    pub status: Option<ChangeStatus>,
}

/// Inventory changes.
#[async_trait]
pub trait InventoryChanges: Send + Sync {
    /// Returns several inventory changes, in no order; missing ones are left out.
    async fn find_inventory_changes(
        &self,
        scope: WorkspaceScope,
        ids: &[InventoryChangeId],
    ) -> StoreResult<Vec<Seen<InventoryChange>>>;
    /// Returns inventory changes of the workspace.
    async fn list_inventory_changes(
        &self,
        scope: WorkspaceScope,
        filter: InventoryChangeFilter,
        page: PageRequest<OfInventoryChange>,
    ) -> StoreResult<Page<OfInventoryChange>>;
    /// Returns a slice of the changes that end with a snapshot.
    async fn list_changes_to(
        &self,
        scope: WorkspaceScope,
        snapshot: SnapshotId,
        slice: RecordBatch<OfInventoryChange>,
    ) -> StoreResult<Vec<Seen<InventoryChange>>>;
    /// Returns orphans that were recorded before a time and are not reported yet, the oldest first.
    async fn list_unreported_orphans(
        &self,
        scope: WorkspaceScope,
        before: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<InventoryChange>>>;
}
