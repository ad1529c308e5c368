//! The marketplaces of the sample data, for what a user has looked up there: no engine serves them, and they answer all the same. Of the
//! purchases whose outcome is unknown every other was placed, and a refund that is due has been paid.

use async_trait::async_trait;
use tradepost::domain::contracts::purchase::{ListingOutcome, Order, Purchase, PurchaseStatus};
use tradepost::domain::id::WorkspaceId;
use tradepost::domain::text::{ExternalId, Marketplace};
use tradepost::ports::purchase_lookup::{AbsenceReading, LookupFailed, LookupResult, PurchaseLookup, ShownOrder};

use super::scenario::{self, LISTING};
use super::venues::MARKETPLACES;

pub(super) struct SampleMarketplaces;

#[async_trait]
impl PurchaseLookup for SampleMarketplaces {
    fn reaches(&self, _: WorkspaceId, marketplace: &Marketplace) -> bool {
        MARKETPLACES.contains(&marketplace.as_str())
    }

    async fn look_up(&self, purchase: &Purchase) -> Result<LookupResult, LookupFailed> {
        Ok(match purchase.status {
            PurchaseStatus::Uncertain => match order_of(purchase) {
                Some(id) => {
                    let terms = &purchase.terms;
                    LookupResult::OrderFound(Order { id, executed_price: terms.listing_price, fee: terms.platform_fee })
                }
                None => LookupResult::Nothing,
            },
            PurchaseStatus::RefundPending | PurchaseStatus::Reverted => LookupResult::Refunded(purchase.cost()),
            PurchaseStatus::Pending
            | PurchaseStatus::Submitted
            | PurchaseStatus::Paid
            | PurchaseStatus::Offered
            | PurchaseStatus::TradeHeld
            | PurchaseStatus::Traded
            | PurchaseStatus::Settled
            | PurchaseStatus::Cancelled
            | PurchaseStatus::Failed
            | PurchaseStatus::Refunded
            | PurchaseStatus::WrittenOff => LookupResult::Nothing,
        })
    }

    async fn read_absence(&self, purchase: &Purchase) -> Result<AbsenceReading, LookupFailed> {
        let order = order_of(purchase);
        let listing = if order.is_some() { ListingOutcome::Unexplained } else { ListingOutcome::SoldToAnother };
        let key = purchase.terms.order_key();
        let orders = order.map(|id| ShownOrder { id, key: Some(key) }).into_iter().collect();
        Ok(AbsenceReading { orders, is_complete: true, listing, balances: None })
    }
}

/// The order that a purchase of the sample data has placed, if it has.
fn order_of(purchase: &Purchase) -> Option<ExternalId> {
    let number: u64 = purchase.terms.listing_id.as_str().strip_prefix(LISTING)?.parse().ok()?;
    number.is_multiple_of(2).then(|| scenario::external("order", number).ok()).flatten()
}
