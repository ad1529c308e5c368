//! Looking a purchase up where it was made: what whoever trades at a marketplace offers to the operations, which know none.

use async_trait::async_trait;
use tradepost_domain::contracts::purchase::{FailureCode, Order, Purchase};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;

/// What a marketplace says of a purchase that is not known here yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupResult {
    /// Nothing.
    Nothing,
    /// Of a purchase whose outcome was unknown: the order that it placed.
    OrderFound(Order),
    /// Of a purchase that was paid: it is not going to be delivered.
    Failed(FailureCode),
    /// Of a purchase for which money is owed: so much of it came back.
    Refunded(Cents),
}

/// The marketplace gave no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the marketplace gave no answer: {0}")]
pub struct LookupFailed(
    /// What went wrong, for the log.
    pub String,
);

/// Asks marketplaces about purchases, and changes nothing there.
#[async_trait]
pub trait PurchaseLookup: Send + Sync {
    /// Whether it can ask this marketplace about the purchases of this workspace.
    fn reaches(&self, workspace: WorkspaceId, marketplace: &Marketplace) -> bool;

    /// Asks what became of a purchase at its marketplace, which it reaches.
    ///
    /// # Errors
    /// [`LookupFailed`] when the marketplace cannot be asked now.
    async fn look_up(&self, purchase: &Purchase) -> Result<LookupResult, LookupFailed>;
}
