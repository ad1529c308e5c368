//! Reads of inventory changes.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{InventoryChangeId, OfInventoryChange, SnapshotId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::inventory_change::InventoryChange;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{InventoryChangeFilter, InventoryChanges, Page, PageRequest, RecordBatch, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl InventoryChanges for MemoryStore {
    async fn find_inventory_changes(
        &self,
        scope: WorkspaceScope,
        ids: &[InventoryChangeId],
    ) -> StoreResult<Vec<Seen<InventoryChange>>> {
        Ok(self.state().several(scope.workspace_id(), |change: &InventoryChange| ids.contains(&change.id)))
    }
    async fn list_inventory_changes(
        &self,
        scope: WorkspaceScope,
        filter: InventoryChangeFilter,
        page: PageRequest<OfInventoryChange>,
    ) -> StoreResult<Page<OfInventoryChange>> {
        Ok(self.state().page(scope.workspace_id(), &page, |change: &InventoryChange| {
            filter.account_id.is_none_or(|wanted| change.account_id == wanted)
                && filter.kind.is_none_or(|wanted| change.kind == wanted)
                && filter.status.is_none_or(|wanted| change.status == wanted)
        }))
    }
    async fn list_changes_to(
        &self,
        scope: WorkspaceScope,
        snapshot: SnapshotId,
        slice: RecordBatch<OfInventoryChange>,
    ) -> StoreResult<Vec<Seen<InventoryChange>>> {
        Ok(self.batch(scope, &slice, |change: &InventoryChange| change.between.to == snapshot))
    }
    async fn list_unreported_orphans(
        &self,
        scope: WorkspaceScope,
        before: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<InventoryChange>>> {
        let is_wanted =
            |change: &InventoryChange| change.is_orphan() && !change.is_reported && change.created_at < before;
        let mut found = self.state().several(scope.workspace_id(), is_wanted);
        found.sort_by_key(|seen| (seen.peek().created_at, seen.peek().id));
        found.truncate(most as usize);
        Ok(found)
    }
}
