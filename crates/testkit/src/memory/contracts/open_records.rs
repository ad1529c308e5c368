//! Repeated reads of the engine.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, ContractStatus};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, Id, OfContract, OfInventoryItem, OfPurchase};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, MarketHashName, Marketplace};

use crate::memory::MemoryStore;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::Record;
use tradepost_ports::store::{ActiveContract, ActivityQuery, OpenRecordReads, RecordBatch, StoreResult};

impl MemoryStore {
    fn slice<T: Record, K>(
        &self,
        scope: WorkspaceScope,
        slice: &RecordBatch<K>,
        is_wanted: impl Fn(&T) -> bool,
    ) -> Vec<Seen<T>> {
        let is_later = |record: &T| slice.after.is_none_or(|after| after < Id::from_bytes(record.key()));
        let mut found = self.state().several(scope.workspace_id(), |record| is_later(record) && is_wanted(record));
        found.truncate(slice.most as usize);
        found
    }
}

#[async_trait]
impl OpenRecordReads for MemoryStore {
    async fn list_open_purchases(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: PurchaseStatus,
        slice: RecordBatch<OfPurchase>,
    ) -> StoreResult<Vec<Seen<Purchase>>> {
        Ok(self.slice(scope, &slice, |purchase: &Purchase| {
            purchase.is_live() && purchase.status == status && purchase.terms.marketplace == *marketplace
        }))
    }

    async fn list_items_in(
        &self,
        scope: WorkspaceScope,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self.slice(scope, &slice, |item: &InventoryItem| item.status == status))
    }

    async fn list_items_on_sale(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self.slice(scope, &slice, |item: &InventoryItem| {
            item.status == status && item.sale_place.as_ref().is_some_and(|place| place.marketplace == *marketplace)
        }))
    }

    async fn list_items_of(
        &self,
        scope: WorkspaceScope,
        account: &AccountName,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        Ok(self
            .slice(scope, &slice, |item: &InventoryItem| !item.status.is_terminal() && item.account_name == *account))
    }

    async fn list_contracts_at_work(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfContract>,
    ) -> StoreResult<Vec<ActiveContract>> {
        let active = self.slice(scope, &slice, |contract: &Contract| contract.status == ContractStatus::Active);
        let state = self.state();
        let version_of = |set: &Seen<FilterSet>| set.clone().into_display().1;
        let at_work = active.into_iter().map(|contract| {
            let (contract, version) = contract.into_display();
            let home = scope.workspace_id().to_bytes();
            let named = contract.filter_set_id.and_then(|id| state.find::<FilterSet>(home, id.to_bytes()));
            ActiveContract { contract_id: contract.id, version, filter_set_version: named.as_ref().map(version_of) }
        });
        Ok(at_work.collect())
    }

    async fn find_activity(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ActivityQuery<'_>,
    ) -> StoreResult<Activity> {
        let of_contract = self.state().several(scope.workspace_id(), |purchase: &Purchase| {
            let is_early = query.before.is_none_or(|before| purchase.created_at < before);
            purchase.terms.contract_id == contract && is_early
        });
        let mut found = Activity::default();
        for purchase in &of_contract {
            let (purchase, footprint) = (purchase.peek(), purchase.peek().counter_delta());
            let is_taken = footprint.filled_quantity + footprint.open_quantity > 0;
            if query.spent_since.is_some_and(|since| purchase.created_at >= since) {
                let used = footprint.spent.plus(footprint.reserved).unwrap_or(Cents::MAX);
                found.spent_today = found.spent_today.plus(used).unwrap_or(Cents::MAX);
            }
            let is_counted = |name: &MarketHashName, most: u32| {
                purchase.terms.market_hash_name == *name && found.of_item_name < most
            };
            if is_taken && query.of_item_name.is_some_and(|(name, most)| is_counted(name, most)) {
                found.of_item_name += 1;
            }
            if is_taken && query.last_purchase {
                found.last_purchase_at = found.last_purchase_at.max(Some(purchase.created_at));
            }
        }
        Ok(found)
    }
}
