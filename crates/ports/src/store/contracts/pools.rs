//! Reads of pools and of the ledger.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::{Account, LedgerEntry};
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{ContractId, LedgerEntryId, OfLedgerEntry, OfPool, PoolId};
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The entries of the ledger to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LedgerFilter {
    /// Only those that move money of this account.
    pub account: Option<Account>,
    /// Only those of this pool.
    pub pool_id: Option<PoolId>,
    /// Only those for purchases of this contract.
    pub contract_id: Option<ContractId>,
    /// Only those of this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only those before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// Pools, and the ledger whose entries move their money.
#[async_trait]
pub trait Pools: Send + Sync {
    /// Returns a pool.
    async fn find_pool(&self, scope: WorkspaceScope, id: PoolId) -> StoreResult<Option<Seen<Pool>>>;
    /// Returns several pools, in no order; missing ones are left out.
    async fn find_pools(&self, scope: WorkspaceScope, ids: &[PoolId]) -> StoreResult<Vec<Seen<Pool>>>;
    /// Returns pools of the workspace, all or those in a status.
    async fn list_pools(
        &self,
        scope: WorkspaceScope,
        status: Option<PoolStatus>,
        page: PageRequest<OfPool>,
    ) -> StoreResult<Page<OfPool>>;
    /// Counts the contracts that name a pool and have not ended.
    async fn count_live_contracts_of(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<i64>;
    /// Returns the exposure of a pool to items of a name, in cents.
    async fn find_exposure(&self, scope: WorkspaceScope, pool: PoolId, name: &MarketHashName) -> StoreResult<i64>;
    /// Returns several entries, in no order; missing ones are left out.
    async fn find_ledger_entries(&self, scope: WorkspaceScope, ids: &[LedgerEntryId]) -> StoreResult<Vec<LedgerEntry>>;
    /// Returns entries of the workspace, the newest first.
    async fn list_ledger_entries(
        &self,
        scope: WorkspaceScope,
        filter: LedgerFilter,
        page: PageRequest<OfLedgerEntry>,
    ) -> StoreResult<Page<OfLedgerEntry>>;
}
