//! Looks purchases up on request, separately from the passes.

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::contracts::purchase::{FailureCode, ListingOutcome, OrderOrigin, Purchase, PurchaseStatus};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Marketplace;
use tradepost_ports::marketplace::{Buyer, OrderStatus, Sought};
use tradepost_ports::purchase_lookup::{AbsenceReading, LookupFailed, LookupResult, PurchaseLookup, ShownOrder};

use crate::Desk;
use crate::desk::TradingAccount;
use crate::desk::Venue;
use crate::desk::currency::OurOrder;
use crate::orders::balances_before::BalancesBefore;
use crate::orders::reconciliation::sought;
use crate::orders::shown_orders::listing_outcome;
use crate::orders::submission::placed_order;

/// Looks up the purchases of a desk.
pub(crate) struct DeskLookup {
    desk: Desk,
    /// How far a marketplace may date an order back.
    backdating: Duration,
    before: BalancesBefore,
}

impl DeskLookup {
    pub(crate) const fn new(desk: Desk, backdating: Duration, before: BalancesBefore) -> Self {
        Self { desk, backdating, before }
    }

    fn venue(&self, purchase: &Purchase) -> Result<&Venue, LookupFailed> {
        let venue = self.desk.venue(&purchase.terms.marketplace);
        venue.ok_or_else(|| LookupFailed("the desk has no account there".to_owned()))
    }

    fn account(&self, purchase: &Purchase) -> Result<&TradingAccount, LookupFailed> {
        let account = self.desk.account(&purchase.terms.account_name);
        account.ok_or_else(|| LookupFailed("the desk does not have the trading account".to_owned()))
    }
}

fn no_answer(why: &dyn std::fmt::Display) -> LookupFailed {
    LookupFailed(why.to_string())
}

fn shown(order: &OurOrder) -> ShownOrder {
    ShownOrder { id: order.id.clone(), key: order.key.clone() }
}

#[async_trait]
impl PurchaseLookup for DeskLookup {
    fn reaches(&self, workspace: WorkspaceId, marketplace: &Marketplace) -> bool {
        self.desk.workspace_id == workspace && self.desk.venue(marketplace).is_some()
    }

    async fn look_up(&self, purchase: &Purchase) -> Result<LookupResult, LookupFailed> {
        let counter = self.venue(purchase)?.with_rate(purchase.terms.exchange_rate);
        let Some(bought) = &purchase.progress.order else {
            if !matches!(purchase.status, PurchaseStatus::Uncertain | PurchaseStatus::Failed) {
                return Ok(LookupResult::Nothing);
            }
            let deliver_to = self.account(purchase)?.address.clone();
            let found = counter.find_our_order(sought(purchase, deliver_to, self.backdating)).await;
            let is_own = |order: &OurOrder| OrderOrigin::of(purchase, order.key.as_ref(), None) == OrderOrigin::Own;
            return Ok(match found.map_err(|error| no_answer(&error))? {
                Sought::Found(order) if is_own(&order) => LookupResult::OrderFound(placed_order(&order)),
                Sought::Found(_) | Sought::NotShown | Sought::Absent => LookupResult::Nothing,
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

    /// Each of the three reads counts without the others: an order that one shows is there.
    async fn read_absence(&self, purchase: &Purchase) -> Result<AbsenceReading, LookupFailed> {
        let venue = self.venue(purchase)?;
        let counter = venue.with_rate(purchase.terms.exchange_rate);
        let deliver_to = self.account(purchase)?.address.clone();
        let wanted = sought(purchase, deliver_to, self.backdating);
        let found = counter.find_our_order(wanted.clone()).await;
        // The balance is read after the search, as in the proof of an engine.
        let balance = venue.marketplace.exact_balance().await;
        let buyer = counter.who_bought(wanted).await;
        if let (Err(error), Err(_), Err(_)) = (&found, &balance, &buyer) {
            return Err(no_answer(error));
        }
        let mut orders = Vec::new();
        if let Ok(Sought::Found(order)) = &found {
            orders.push(shown(order));
        }
        if let Ok(Buyer::Us(order)) = &buyer {
            orders.push(shown(order));
        }
        Ok(AbsenceReading {
            orders,
            is_complete: matches!(found, Ok(Sought::Absent)),
            listing: buyer.map_or(ListingOutcome::Unexplained, |buyer| listing_outcome(&buyer, OrderOrigin::Unclear)),
            balances: balance.ok().map(|balance| self.before.with_last(purchase.terms.id, balance)),
        })
    }
}
