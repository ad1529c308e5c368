//! Reads of contracts.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{ContractId, OfContract, PoolId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    ActiveContract, ActivityQuery, ContractFilter, Contracts, Page, PageRequest, RecordBatch, StoreResult, Worlds,
};

use crate::memory::MemoryStore;

#[async_trait]
impl Contracts for MemoryStore {
    async fn list_at_work(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfContract>,
    ) -> StoreResult<Vec<ActiveContract>> {
        let active = self.batch(scope, &slice, |contract: &Contract| contract.status == ContractStatus::Active);
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
            purchase.terms.contract_id == Some(contract) && is_early
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
    async fn count_live_of_pool(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<i64> {
        let names_it = |contract: &Contract| contract.pool_id == Some(pool) && !contract.status.is_terminal();
        let live = self.state().several(scope.workspace_id(), names_it).len();
        Ok(i64::try_from(live).unwrap_or(i64::MAX))
    }
    async fn find(&self, scope: WorkspaceScope, id: ContractId) -> StoreResult<Option<Seen<Contract>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ContractId]) -> StoreResult<Vec<Seen<Contract>>> {
        Ok(self.state().several(scope.workspace_id(), |contract: &Contract| ids.contains(&contract.id)))
    }
    async fn list(
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
    async fn list_active(&self, after: Option<ContractId>, most: u32) -> StoreResult<Vec<Seen<Contract>>> {
        let is_wanted = |contract: &Contract| {
            contract.status == ContractStatus::Active && after.is_none_or(|after| contract.id > after)
        };
        let mut found = self.state().all(is_wanted);
        found.sort_by_key(|seen| seen.peek().id);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }
    async fn list_overdue(&self, worlds: Worlds, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Contract>>> {
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
    async fn count(&self, scope: WorkspaceScope, contract_type: Option<ContractType>) -> StoreResult<Vec<(i16, i64)>> {
        let is_wanted = |contract: &Contract| contract_type.is_none_or(|wanted| contract.contract_type() == wanted);
        let mut counted: BTreeMap<i16, i64> = BTreeMap::new();
        for contract in self.state().several(scope.workspace_id(), is_wanted) {
            *counted.entry(contract.peek().status.code()).or_default() += 1;
        }
        Ok(counted.into_iter().collect())
    }
}
