//! Reads of pools and of the ledger.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{LedgerEntryId, OfLedgerEntry, OfPool, PoolId, WorkspaceId};
use tradepost_domain::money::SignedCents;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;

use crate::memory::MemoryStore;
use crate::memory::state::State;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{LedgerFilter, Page, PageRequest, Pools, StoreResult};

#[async_trait]
impl Pools for MemoryStore {
    async fn find_pool(&self, scope: WorkspaceScope, id: PoolId) -> StoreResult<Option<Seen<Pool>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_pools(&self, scope: WorkspaceScope, ids: &[PoolId]) -> StoreResult<Vec<Seen<Pool>>> {
        Ok(self.state().several(scope.workspace_id(), |pool: &Pool| ids.contains(&pool.id)))
    }

    async fn list_pools(
        &self,
        scope: WorkspaceScope,
        status: Option<PoolStatus>,
        page: PageRequest<OfPool>,
    ) -> StoreResult<Page<OfPool>> {
        let wanted = |pool: &Pool| status.is_none_or(|status| pool.status == status);
        Ok(self.state().page(scope.workspace_id(), &page, wanted))
    }

    async fn count_live_contracts_of(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<i64> {
        let names_it = |contract: &Contract| contract.pool_id == Some(pool) && !contract.status.is_terminal();
        let live = self.state().several(scope.workspace_id(), names_it).len();
        Ok(i64::try_from(live).unwrap_or(i64::MAX))
    }

    async fn find_exposure(&self, scope: WorkspaceScope, pool: PoolId, name: &MarketHashName) -> StoreResult<i64> {
        let state = self.state();
        let of_name = |entry: &&LedgerEntry| entry.trade.as_ref().is_some_and(|trade| trade.market_hash_name == *name);
        let of_pool = state.entries(scope.workspace_id()).filter(|entry| entry.pool_id == Some(pool));
        Ok(of_pool.filter(of_name).map(|entry| entry.amounts.exposure()).sum())
    }

    async fn find_ledger_entries(&self, scope: WorkspaceScope, ids: &[LedgerEntryId]) -> StoreResult<Vec<LedgerEntry>> {
        let state = self.state();
        Ok(state.entries(scope.workspace_id()).filter(|entry| ids.contains(&entry.id)).cloned().collect())
    }

    async fn list_ledger_entries(
        &self,
        scope: WorkspaceScope,
        filter: LedgerFilter,
        page: PageRequest<OfLedgerEntry>,
    ) -> StoreResult<Page<OfLedgerEntry>> {
        let state = self.state();
        let wanted = state.entries(scope.workspace_id()).filter(|entry| is_wanted(entry, &filter));
        let mut ids: Vec<LedgerEntryId> = wanted.map(|entry| entry.id).collect();
        ids.retain(|id| page.before.is_none_or(|before| *id < before));
        ids.reverse();
        let limit = page.limit as usize;
        let more = ids.len() > limit;
        ids.truncate(limit);
        Ok(Page { ids, more })
    }
}

fn is_wanted(entry: &LedgerEntry, filter: &LedgerFilter) -> bool {
    let millis = |at: Timestamp| at.as_micros().div_euclid(1_000);
    let contract_id = entry.trade.as_ref().map(|trade| trade.contract_id);
    filter.account.is_none_or(|account| entry.amounts.of(account) != SignedCents::ZERO)
        && filter.pool_id.is_none_or(|pool| entry.pool_id == Some(pool))
        && filter.contract_id.is_none_or(|contract| contract_id == Some(contract))
        && filter.from.is_none_or(|from| millis(from) <= millis(entry.at))
        && filter.to.is_none_or(|to| millis(entry.at) < millis(to))
}

impl State {
    /// Returns the entries of a workspace's ledger, the oldest first.
    pub(crate) fn entries(&self, workspace: WorkspaceId) -> impl Iterator<Item = &LedgerEntry> {
        self.ledger.values().filter(move |entry| entry.workspace_id == workspace)
    }
}
