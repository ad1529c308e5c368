//! Looking up a purchase at its marketplace. The client of the marketplace implements this port for the operations, which know none.

use async_trait::async_trait;
use tradepost_domain::contracts::purchase::{BalancesRead, FailureCode, ListingOutcome, Order, Purchase};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, Marketplace};

/// News of a marketplace about a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupResult {
    /// No news.
    Nothing,
    /// For a purchase whose outcome was unknown: the order that it placed.
    OrderFound(Order),
    /// For a purchase that was paid: it will not be delivered.
    Failed(FailureCode),
    /// For a purchase for which money is owed: the refunded amount.
    Refunded(Cents),
}

/// An order that a marketplace shows for a purchase. It may be that of another purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownOrder {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The key of its request; nothing if the marketplace keeps none.
    pub key: Option<ExternalId>,
}

/// The result of reading whether the order of an uncertain purchase exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsenceReading {
    /// The orders that the search, and the buyer of the listing, returned.
    pub orders: Vec<ShownOrder>,
    /// Whether the search read all orders since the call.
    pub is_complete: bool,
    /// The outcome of the listing; [`ListingOutcome::Unexplained`] if we have bought it.
    pub listing: ListingOutcome,
    /// The balance, before the call and now; `None` if it could not be read.
    pub balances: Option<BalancesRead>,
}

/// The marketplace gave no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the marketplace gave no answer: {0}")]
pub struct LookupFailed(
    /// The cause, for the log.
    pub String,
);

/// Looks up purchases at marketplaces, and changes nothing there.
#[async_trait]
pub trait PurchaseLookup: Send + Sync {
    /// Returns whether it can look up the purchases of this workspace at this marketplace.
    fn reaches(&self, workspace: WorkspaceId, marketplace: &Marketplace) -> bool;

    /// Looks up the outcome of a purchase at its marketplace, which it reaches.
    ///
    /// # Errors
    /// [`LookupFailed`] when the marketplace cannot be called now.
    async fn look_up(&self, purchase: &Purchase) -> Result<LookupResult, LookupFailed>;

    /// Reads what shows whether the order of an uncertain purchase exists at its marketplace, which it reaches.
    ///
    /// # Errors
    /// [`LookupFailed`] when the marketplace cannot be called now.
    async fn read_absence(&self, purchase: &Purchase) -> Result<AbsenceReading, LookupFailed>;
}
