//! Reads of pools and of the ledger.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::{Balanced, LedgerEntry};
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{OfPool, PoolId, WorkspaceId};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, Pools, PoolsTogether, StoreError, StoreResult};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl Pools for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: PoolId) -> StoreResult<Option<Seen<Pool>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[PoolId]) -> StoreResult<Vec<Seen<Pool>>> {
        Ok(self.state().several(scope.workspace_id(), |pool: &Pool| ids.contains(&pool.id)))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        status: Option<PoolStatus>,
        page: PageRequest<OfPool>,
    ) -> StoreResult<Page<OfPool>> {
        let wanted = |pool: &Pool| status.is_none_or(|status| pool.status == status);
        Ok(self.state().page(scope.workspace_id(), &page, wanted))
    }
    async fn sum_balances(&self, scope: WorkspaceScope) -> StoreResult<PoolsTogether> {
        let pools = self.state().several(scope.workspace_id(), |_: &Pool| true);
        let beyond = |error| StoreError::Bug(format!("the balances of pools: {error}"));
        let mut balances = Balanced::default();
        for pool in &pools {
            balances = balances.plus(&pool.peek().balances).map_err(beyond)?;
        }
        Ok(PoolsTogether { pools: u32::try_from(pools.len()).unwrap_or(u32::MAX), balances })
    }
    async fn find_exposure(&self, scope: WorkspaceScope, pool: PoolId, name: &MarketHashName) -> StoreResult<i64> {
        Ok(self.state().exposure(scope.workspace_id(), pool, name))
    }
    async fn find_exposures(
        &self,
        scope: WorkspaceScope,
        pool: PoolId,
        names: &[MarketHashName],
    ) -> StoreResult<BTreeMap<MarketHashName, i64>> {
        let state = self.state();
        Ok(names.iter().map(|name| (name.clone(), state.exposure(scope.workspace_id(), pool, name))).collect())
    }
}

impl State {
    fn exposure(&self, workspace: WorkspaceId, pool: PoolId, name: &MarketHashName) -> i64 {
        let of_name = |entry: &&LedgerEntry| entry.trade.as_ref().is_some_and(|trade| trade.market_hash_name == *name);
        let of_pool = self.entries(workspace).filter(|entry| entry.pool_id == Some(pool));
        of_pool.filter(of_name).map(|entry| entry.amounts.exposure()).sum()
    }

    /// Returns the entries of a workspace's ledger, the oldest first.
    pub(crate) fn entries(&self, workspace: WorkspaceId) -> impl Iterator<Item = &LedgerEntry> {
        self.ledger.values().filter(move |entry| entry.workspace_id == workspace)
    }
}
