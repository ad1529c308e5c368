//! Reads of contracts, purchases, items and their chains.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{ContractId, InventoryItemId, OfContract, OfInventoryItem, OfPurchase, PurchaseId};
use tradepost_domain::time::Timestamp;

use crate::memory::MemoryStore;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::{Kind, ONLY, Tally};
use tradepost_ports::store::{
    ContractFilter, ItemFilter, Page, PageRequest, PurchaseFilter, StoreResult, Trading, Worlds,
};

#[async_trait]
impl Trading for MemoryStore {
    async fn find_contract(&self, scope: WorkspaceScope, id: ContractId) -> StoreResult<Option<Seen<Contract>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_contracts(&self, scope: WorkspaceScope, ids: &[ContractId]) -> StoreResult<Vec<Seen<Contract>>> {
        Ok(self.state().several(scope.workspace_id(), |contract: &Contract| ids.contains(&contract.id)))
    }

    async fn list_contracts(
        &self,
        scope: WorkspaceScope,
        filter: ContractFilter,
        page: PageRequest<OfContract>,
    ) -> StoreResult<Page<OfContract>> {
        Ok(self.state().page(scope.workspace_id(), &page, |contract: &Contract| {
            filter.contract_type.is_none_or(|wanted| contract.contract_type() == wanted)
                && filter.status.is_none_or(|wanted| contract.status == wanted)
        }))
    }

    async fn list_active_contracts(&self, after: Option<ContractId>, most: u32) -> StoreResult<Vec<Seen<Contract>>> {
        let is_wanted = |contract: &Contract| {
            contract.status == ContractStatus::Active && after.is_none_or(|after| contract.id > after)
        };
        let mut found = self.state().all(is_wanted);
        found.sort_by_key(|seen| seen.peek().id);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn list_overdue_contracts(
        &self,
        worlds: Worlds,
        until: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Contract>>> {
        let state = self.state();
        let is_over = |contract: &Contract| {
            contract.status.can_be_closed()
                && contract.ends_at.is_some_and(|ends_at| ends_at <= until)
                && state.is_in(worlds, contract.workspace_id)
        };
        let mut found = state.all(is_over);
        found.sort_by_key(|seen| seen.peek().ends_at);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn count_contracts(
        &self,
        scope: WorkspaceScope,
        contract_type: Option<ContractType>,
    ) -> StoreResult<Vec<(i16, i64)>> {
        let is_wanted = |contract: &Contract| contract_type.is_none_or(|wanted| contract.contract_type() == wanted);
        let mut counted: BTreeMap<i16, i64> = BTreeMap::new();
        for contract in self.state().several(scope.workspace_id(), is_wanted) {
            *counted.entry(contract.peek().status.code()).or_default() += 1;
        }
        Ok(counted.into_iter().collect())
    }

    async fn find_purchase(&self, scope: WorkspaceScope, id: PurchaseId) -> StoreResult<Option<Seen<Purchase>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_purchases(&self, scope: WorkspaceScope, ids: &[PurchaseId]) -> StoreResult<Vec<Seen<Purchase>>> {
        Ok(self.state().several(scope.workspace_id(), |purchase: &Purchase| ids.contains(&purchase.terms.id)))
    }

    async fn list_purchases(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>> {
        Ok(self.state().page(scope.workspace_id(), &page, |purchase: &Purchase| {
            filter.contract_id.is_none_or(|wanted| purchase.terms.contract_id == wanted)
                && filter.status.is_none_or(|wanted| purchase.status == wanted)
        }))
    }

    async fn find_item(&self, scope: WorkspaceScope, id: InventoryItemId) -> StoreResult<Option<Seen<InventoryItem>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_items(
        &self,
        scope: WorkspaceScope,
        ids: &[InventoryItemId],
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self.state().several(scope.workspace_id(), |item: &InventoryItem| ids.contains(&item.id)))
    }

    async fn find_item_of_purchase(
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

    async fn list_items(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>> {
        Ok(self.state().page(scope.workspace_id(), &page, |item: &InventoryItem| {
            filter.contract_id.is_none_or(|wanted| item.contract_id == wanted)
                && filter.status.is_none_or(|wanted| item.status == wanted)
                && filter.market_hash_name.is_none_or(|wanted| item.market_hash_name == *wanted)
                && filter.account_name.is_none_or(|wanted| item.account_name == *wanted)
        }))
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

    async fn count_by_status(
        &self,
        scope: WorkspaceScope,
        kind: Kind,
        contract: Option<ContractId>,
    ) -> StoreResult<Vec<(i16, i64)>> {
        let workspace = scope.workspace_id().to_bytes();
        let contract = contract.map_or(ONLY, ContractId::to_bytes);
        let state = self.state();
        let wanted =
            state.tallies.iter().filter(|(tally, _)| **tally == Tally { kind, workspace, contract, ..**tally });
        Ok(wanted.map(|(tally, count)| (tally.status, *count)).collect())
    }
}
