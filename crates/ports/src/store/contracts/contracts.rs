//! Reads of contracts.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::id::{ContractId, OfContract, PoolId};
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, RecordBatch, StoreResult, Worlds};

/// The contracts to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContractFilter {
    /// Only of this type.
    pub contract_type: Option<ContractType>,
    /// Only in this status.
    pub status: Option<ContractStatus>,
}

/// An active contract, by the versions of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveContract {
    /// The contract.
    pub contract_id: ContractId,
    /// The version of its record.
    pub version: i64,
    /// The version of the filter set's record that it names.
    pub filter_set_version: Option<i64>,
}

/// The requested parts of a contract's recent activity. The store does not look for the other parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActivityQuery<'a> {
    /// The money of purchases that were made from this time on.
    pub spent_since: Option<Timestamp>,
    /// The purchases of a market name, counted up to this number.
    pub of_item_name: Option<(&'a MarketHashName, u32)>,
    /// The time of its last purchase.
    pub last_purchase: bool,
    /// Only activity before this time.
    pub before: Option<Timestamp>,
}

/// Contracts, and what the engine asks about their activity.
#[async_trait]
pub trait Contracts: Send + Sync {
    /// Returns a contract.
    async fn find(&self, scope: WorkspaceScope, id: ContractId) -> StoreResult<Option<Seen<Contract>>>;
    /// Returns several contracts, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ContractId]) -> StoreResult<Vec<Seen<Contract>>>;
    /// Returns contracts of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ContractFilter,
        page: PageRequest<OfContract>,
    ) -> StoreResult<Page<OfContract>>;
    /// Returns active contracts of any workspace, in the order of their ids; at most `most` behind `after`.
    async fn list_active(&self, after: Option<ContractId>, most: u32) -> StoreResult<Vec<Seen<Contract>>>;
    /// Returns a slice of the active contracts.
    async fn list_at_work(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfContract>,
    ) -> StoreResult<Vec<ActiveContract>>;
    /// Returns contracts of these worlds' workspaces that are not closed and whose end has passed. Those that ended first come first.
    async fn list_overdue(&self, worlds: Worlds, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Contract>>>;
    /// Counts the contracts of the workspace, all or those of a type, in each status, by its stored number; zeros are left out.
    async fn count(&self, scope: WorkspaceScope, contract_type: Option<ContractType>) -> StoreResult<Vec<(i16, i64)>>;
    /// Counts the contracts that name a pool and have not ended.
    async fn count_live_of_pool(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<i64>;
    /// Returns the requested parts of a contract's recent activity.
    async fn find_activity(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ActivityQuery<'_>,
    ) -> StoreResult<Activity>;
}
