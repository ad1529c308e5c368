//! Reads of purchases.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, OfPurchase, PurchaseId};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, RecordBatch, StoreResult, Worlds};

/// The purchases to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PurchaseFilter {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only in this status.
    pub status: Option<PurchaseStatus>,
}

/// Purchases.
#[async_trait]
pub trait Purchases: Send + Sync {
    /// Returns a purchase.
    async fn find(&self, scope: WorkspaceScope, id: PurchaseId) -> StoreResult<Option<Seen<Purchase>>>;
    /// Returns several purchases, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[PurchaseId]) -> StoreResult<Vec<Seen<Purchase>>>;
    /// Returns the purchase that has this order of a marketplace; at most one does.
    async fn find_of_order(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        order_id: &ExternalId,
    ) -> StoreResult<Option<Seen<Purchase>>>;
    /// Returns purchases of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>>;
    /// Returns a slice of the purchases at a marketplace whose status is not final.
    async fn list_open(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: PurchaseStatus,
        slice: RecordBatch<OfPurchase>,
    ) -> StoreResult<Vec<Seen<Purchase>>>;
    /// Returns purchases of these worlds' workspaces whose outcome has been unknown since this time or longer. Leaves out those that ever
    /// had a remediation for it. At most `most`, the oldest first.
    async fn list_undecided(&self, worlds: Worlds, since: Timestamp, most: u32) -> StoreResult<Vec<Seen<Purchase>>>;
}
