//! Looks purchases up on request, separately from the passes.

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseStatus};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Marketplace;
use tradepost_ports::marketplace::{OrderStatus, Sought};
use tradepost_ports::purchase_lookup::{LookupFailed, LookupResult, PurchaseLookup};

use crate::Desk;
use crate::orders::reconciliation::sought;
use crate::orders::submission::placed_order;

/// Looks up the purchases of a desk.
pub(crate) struct DeskLookup {
    desk: Desk,
    /// How far a marketplace may date an order back.
    backdating: Duration,
}

impl DeskLookup {
    pub(crate) const fn new(desk: Desk, backdating: Duration) -> Self {
        Self { desk, backdating }
    }
}

#[async_trait]
impl PurchaseLookup for DeskLookup {
    fn reaches(&self, workspace: WorkspaceId, marketplace: &Marketplace) -> bool {
        self.desk.workspace_id == workspace && self.desk.venue(marketplace).is_some()
    }

    async fn look_up(&self, purchase: &Purchase) -> Result<LookupResult, LookupFailed> {
        let no_answer = |why: &dyn std::fmt::Display| LookupFailed(why.to_string());
        let Some(venue) = self.desk.venue(&purchase.terms.marketplace) else {
            return Err(LookupFailed("the desk has no account there".to_owned()));
        };
        let counter = venue.with_rate(purchase.terms.exchange_rate);
        let Some(bought) = &purchase.progress.order else {
            if purchase.status != PurchaseStatus::Uncertain {
                return Ok(LookupResult::Nothing);
            }
            let Some(account) = self.desk.account(&purchase.terms.account_name) else {
                return Err(LookupFailed("the desk does not have the trading account".to_owned()));
            };
            let found = counter.find_our_order(sought(purchase, account.address.clone(), self.backdating)).await;
            return Ok(match found.map_err(|error| no_answer(&error))? {
                Sought::Found(order) => LookupResult::OrderFound(placed_order(&order)),
                Sought::NotShown | Sought::Absent => LookupResult::Nothing,
            });
        };
        let order = counter.order(&bought.id).await.map_err(|error| no_answer(&error))?;
        let is_owed = matches!(purchase.status, PurchaseStatus::RefundPending | PurchaseStatus::Reverted);
        Ok(match order.status {
            OrderStatus::Refunded if is_owed => LookupResult::Refunded(order.refunded),
            // It ended unobserved.
            OrderStatus::Refunded => LookupResult::Failed(FailureCode::CancelledByMarketplace),
            OrderStatus::Failed(code) => LookupResult::Failed(code),
            OrderStatus::AwaitingCommit
            | OrderStatus::AwaitingSeller
            | OrderStatus::InCustody { .. }
            | OrderStatus::Offered
            | OrderStatus::Delivered
            | OrderStatus::Settled
            | OrderStatus::Reverted
            | OrderStatus::Other(_) => LookupResult::Nothing,
        })
    }
}
