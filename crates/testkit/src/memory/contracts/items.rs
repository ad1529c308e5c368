//! Reads of items and their chains.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{InventoryItemId, OfInventoryItem, PurchaseId};
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ItemFilter, Items, Page, PageRequest, RecordBatch, StatusCounts, StoreResult};

use crate::memory::MemoryStore;
use crate::memory::contracts::counted;

#[async_trait]
impl Items for MemoryStore {
    async fn list_in(
        &self,
        scope: WorkspaceScope,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self.batch(scope, &slice, |item: &InventoryItem| item.status == status))
    }
    async fn list_on_sale(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self.batch(scope, &slice, |item: &InventoryItem| {
            item.status == status && item.sale_place.as_ref().is_some_and(|place| place.marketplace == *marketplace)
        }))
    }
    async fn list_of_account(
        &self,
        scope: WorkspaceScope,
        account: &AccountName,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self
            .batch(scope, &slice, |item: &InventoryItem| !item.status.is_terminal() && item.account_name == *account))
    }
    async fn find(&self, scope: WorkspaceScope, id: InventoryItemId) -> StoreResult<Option<Seen<InventoryItem>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[InventoryItemId]) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self.state().several(scope.workspace_id(), |item: &InventoryItem| ids.contains(&item.id)))
    }
    async fn find_of_purchase(
        &self,
        scope: WorkspaceScope,
        purchase: PurchaseId,
    ) -> StoreResult<Option<Seen<InventoryItem>>> {
        let brought = self.state().several(scope.workspace_id(), |item: &InventoryItem| item.purchase_id == purchase);
        Ok(brought.into_iter().next())
    }
    async fn find_link_of_asset(
        &self,
        scope: WorkspaceScope,
        asset: &AssetId,
    ) -> StoreResult<Option<(InventoryItemId, u32)>> {
        let state = self.state();
        let of_asset = |link: &&AssetIdLink| link.workspace_id == scope.workspace_id() && link.asset_id == *asset;
        Ok(state.links.values().filter(of_asset).map(|link| (link.inventory_item_id, link.step)).max())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>> {
        let (state, workspace) = (self.state(), scope.workspace_id());
        let wanted = |item: &InventoryItem| filter.is_met_by(item);
        Ok(if filter.is_by_lock() {
            state.page_by(workspace, &page, wanted, |item| item.lock.as_ref().map(|lock| lock.until))
        } else {
            state.page(workspace, &page, wanted)
        })
    }
    async fn count(&self, scope: WorkspaceScope, filter: ItemFilter<'_>) -> StoreResult<StatusCounts> {
        let met = self.state().several(scope.workspace_id(), |item: &InventoryItem| filter.is_met_by(item));
        Ok(counted(met.iter().map(|seen| seen.peek().status.code())))
    }
    async fn list_links(
        &self,
        scope: WorkspaceScope,
        item: InventoryItemId,
        from_step: u32,
        limit: u32,
    ) -> StoreResult<Option<Vec<AssetIdLink>>> {
        let state = self.state();
        let workspace = scope.workspace_id();
        if state.find::<InventoryItem>(workspace.to_bytes(), item.to_bytes()).is_none() {
            return Ok(None);
        }
        let wanted = state.chain(workspace, item).filter(|link| link.step >= from_step);
        Ok(Some(wanted.take(limit as usize).cloned().collect()))
    }
}
