//! Reads of purchases.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, OfPurchase, PurchaseId};
use tradepost_domain::text::{AccountName, ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{NameFilter, Page, PageRequest, RecordBatch, StatusCounts, StoreResult, Worlds};

/// The purchases to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PurchaseFilter<'a> {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only in one of these statuses, each once; in every status if there is none.
    pub statuses: &'a [PurchaseStatus],
    /// Only of these market names.
    pub names: NameFilter<'a>,
    /// Only at this marketplace.
    pub marketplace: Option<&'a Marketplace>,
    /// Only with this account of ours.
    pub account_name: Option<&'a AccountName>,
    /// Only recorded at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only recorded before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

impl PurchaseFilter<'_> {
    /// Returns whether the list is in the order of the times at which purchases were recorded, and not of their ids.
    ///
    /// An index by time has the purchases of a time without the others. Purchases of a contract or in a status are in the order of ids.
    pub fn is_by_time(&self) -> bool {
        self.names != NameFilter::Any
            || self.from.is_some()
            || self.to.is_some()
            || (self.contract_id.is_none() && (self.account_name.is_some() || self.marketplace.is_some()))
    }

    /// Returns whether a purchase meets the filter.
    pub fn is_met_by(&self, purchase: &Purchase) -> bool {
        let (terms, at) = (&purchase.terms, purchase.created_at.as_micros());
        let micros = |time: Timestamp| time.as_micros().div_euclid(1_000).saturating_mul(1_000);
        self.contract_id.is_none_or(|wanted| terms.contract_id == Some(wanted))
            && (self.statuses.is_empty() || self.statuses.contains(&purchase.status))
            && self.names.accepts(&terms.market_hash_name)
            && self.marketplace.is_none_or(|wanted| terms.marketplace == *wanted)
            && self.account_name.is_none_or(|wanted| terms.account_name == *wanted)
            && self.from.is_none_or(|from| at >= micros(from))
            && self.to.is_none_or(|to| at < micros(to))
    }
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
    /// Returns purchases of the workspace, newest first: by time if [`PurchaseFilter::is_by_time`], else by id. What no index of the
    /// filter finds is looked for in at most `MOST_LOOKED_AT` purchases, so that a page may be short.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter<'_>,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>>;
    /// Counts purchases by status, of at most `MOST_LOOKED_AT`.
    async fn count(&self, scope: WorkspaceScope, filter: PurchaseFilter<'_>) -> StoreResult<StatusCounts>;
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
