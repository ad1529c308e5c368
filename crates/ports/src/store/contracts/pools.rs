//! Reads of pools and of the ledger.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::Balanced;
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{OfPool, PoolId};
use tradepost_domain::text::MarketHashName;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// What the pools of a workspace have together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolsTogether {
    /// The number of pools.
    pub pools: u32,
    /// The sums of their balances.
    pub balances: Balanced,
}

/// Pools.
#[async_trait]
pub trait Pools: Send + Sync {
    /// Returns a pool.
    async fn find(&self, scope: WorkspaceScope, id: PoolId) -> StoreResult<Option<Seen<Pool>>>;
    /// Returns several pools, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[PoolId]) -> StoreResult<Vec<Seen<Pool>>>;
    /// Returns pools of the workspace, all or those in a status.
    async fn list(
        &self,
        scope: WorkspaceScope,
        status: Option<PoolStatus>,
        page: PageRequest<OfPool>,
    ) -> StoreResult<Page<OfPool>>;
    /// Returns what all pools of the workspace have together, archived ones included.
    async fn sum_balances(&self, scope: WorkspaceScope) -> StoreResult<PoolsTogether>;
    /// Returns the exposure of a pool to items of a name, in cents.
    async fn find_exposure(&self, scope: WorkspaceScope, pool: PoolId, name: &MarketHashName) -> StoreResult<i64>;
    /// Returns the same for several names. A name that is left out has no exposure.
    async fn find_exposures(
        &self,
        scope: WorkspaceScope,
        pool: PoolId,
        names: &[MarketHashName],
    ) -> StoreResult<BTreeMap<MarketHashName, i64>>;
}
