//! Reads of the ledger.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::contracts::ledger::{Account, LedgerEntry};
use tradepost_domain::id::{ContractId, LedgerEntryId, OfLedgerEntry, PoolId, PurchaseId};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;

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

/// The entries of which the amounts paid and received at a marketplace are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowQuery<'a> {
    /// The marketplace.
    pub marketplace: &'a Marketplace,
    /// From this time on.
    pub since: Timestamp,
    /// From this time on they are summed separately as well.
    pub late: Timestamp,
}

/// The ledger, whose entries move the money of pools.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Returns several entries, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[LedgerEntryId]) -> StoreResult<Vec<LedgerEntry>>;
    /// Returns entries of the workspace, the newest first.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: LedgerFilter,
        page: PageRequest<OfLedgerEntry>,
    ) -> StoreResult<Page<OfLedgerEntry>>;
    /// Returns the entries that were booked for a purchase and its item, the oldest first.
    async fn list_of_purchase(&self, scope: WorkspaceScope, purchase: PurchaseId) -> StoreResult<Vec<LedgerEntry>>;
    /// Returns the amounts that entries book as paid and received at a marketplace, and the same for the late ones among them.
    async fn sum_flow(&self, scope: WorkspaceScope, query: FlowQuery<'_>) -> StoreResult<(Flow, Flow)>;
}
