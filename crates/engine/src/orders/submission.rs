//! Sending a purchase that was recorded: once more whether it still makes sense, then the call, then what it came to.

use tokio::time::Instant;
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, Order, Purchase, PurchaseEvent, PurchaseTerms};
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_operations::{Code, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{BuyRequest, ListingStatus, MarketplaceRefusal};

use crate::context::Context;
use crate::desk::currency::{ConvertedMarketplace, OurOrder};
use crate::error::{EngineError, EngineResult};
use crate::market::observation::MarketState;
use crate::orders::Orders;

impl Orders {
    /// Sends a purchase, or withdraws it. What is committed last says how far it came, whatever happens in between. One that comes
    /// into doubt keeps this pass from buying more at its marketplace.
    pub(crate) async fn submit(
        &mut self,
        context: &Context,
        market_state: &mut MarketState,
        recorded: Versioned<Purchase>,
    ) -> EngineResult {
        let terms = &recorded.value.terms;
        let (venue, account) = (context.venue(&terms.marketplace)?, context.account(&terms.account_name)?);
        let counter = venue.with_rate(terms.exchange_rate);
        let on_sale = current_price(&counter, &terms.listing_id).await?;
        let Some(listing_price) = on_sale.filter(|price| covers_fee(context, market_state, terms, *price)) else {
            return withdraw_purchase(context, &recorded).await;
        };
        self.note_balance(context, market_state, &venue, terms.id).await?;
        let begun = Instant::now();
        let submitted = match context.apply_purchase_event(&recorded, PurchaseEvent::Submitted { listing_price }).await
        {
            Err(EngineError::Operation(refusal)) if refusal.code == Code::FailedPrecondition => {
                tracing::debug!(reason = refusal.reason.as_str(), "a purchase is withdrawn before it is sent");
                return withdraw_purchase(context, &recorded).await;
            }
            submitted => submitted?,
        };
        let request = BuyRequest {
            key: idempotency_key(&recorded.value),
            listing_id: terms.listing_id.clone(),
            max_price: listing_price,
            deliver_to: account.address,
        };
        if begun.elapsed() >= context.timings.sent_within() {
            self.uncertain.mark_uncertain(venue.name);
            return Err(EngineError::SubmitTooLate);
        }
        let outcome = match counter.buy(request).await {
            Ok(order) => PurchaseEvent::Accepted(placed_order(&order)),
            Err(ExternalError::Rejected(refusal)) => PurchaseEvent::Refused(failure_code(&refusal)),
            Err(error) if error.did_nothing() => PurchaseEvent::Refused(FailureCode::Other),
            Err(error) => {
                tracing::warn!(purchase = %terms.id, %error, "purchase outcome unknown; its money stays reserved");
                PurchaseEvent::OutcomeLost
            }
        };
        let is_lost = outcome == PurchaseEvent::OutcomeLost;
        if let Some(spent) = amount_spent(terms, &outcome) {
            market_state.deduct(&venue.name, spent);
        }
        let recorded = context.apply_purchase_event(&submitted, outcome).await.map(drop);
        if is_lost || recorded.is_err() {
            self.uncertain.mark_uncertain(venue.name);
        } else {
            self.uncertain.clear(terms.id);
        }
        recorded
    }
}

/// Whether what was reserved is enough for the fee that is charged abroad at this price: since a person agreed to buy, the rate may have
/// moved, and the fee with it.
fn covers_fee(context: &Context, market_state: &MarketState, terms: &PurchaseTerms, price: Cents) -> bool {
    if terms.exchange_rate.is_none() {
        return true;
    }
    let Some(charges) = market_state.fees.get(&terms.marketplace) else { return false };
    let fee = charges.on_buying(&terms.market_hash_name, context.now(), price);
    fee.and_then(|fee| price.plus(fee)).is_ok_and(|cost| cost <= terms.max_buy_price)
}

async fn withdraw_purchase(context: &Context, recorded: &Versioned<Purchase>) -> EngineResult {
    context.apply_purchase_event(recorded, PurchaseEvent::Cancelled(CancelCause::CheckFailed)).await.map(drop)
}

/// The price of a listing that can still be bought.
async fn current_price(counter: &ConvertedMarketplace, id: &ExternalId) -> EngineResult<Option<Cents>> {
    let listing = counter.listing(id).await?;
    Ok(listing.filter(|listing| listing.status == ListingStatus::OnSale).map(|listing| listing.offered.price))
}

/// What a purchase has cost by its outcome, or may have; nothing when it was refused.
fn amount_spent(terms: &PurchaseTerms, outcome: &PurchaseEvent) -> Option<Cents> {
    if let PurchaseEvent::Accepted(order) = outcome {
        return order.cost().ok();
    }
    (*outcome == PurchaseEvent::OutcomeLost).then_some(terms.max_buy_price)
}

/// The key under which a marketplace sells once: the purchase's id.
pub(crate) fn idempotency_key(purchase: &Purchase) -> ExternalId {
    purchase.terms.id.to_bytes().into()
}

pub(crate) fn placed_order(order: &OurOrder) -> Order {
    Order { id: order.id.clone(), executed_price: order.price, fee: order.fee }
}

fn failure_code(refusal: &MarketplaceRefusal) -> FailureCode {
    match refusal {
        MarketplaceRefusal::NotFound | MarketplaceRefusal::SoldAlready => FailureCode::SoldAlready,
        MarketplaceRefusal::PriceChanged { .. } => FailureCode::PriceChanged,
        MarketplaceRefusal::BalanceTooLow { .. } => FailureCode::BalanceTooLow,
        MarketplaceRefusal::AccountBlocked => FailureCode::AccountBlocked,
        MarketplaceRefusal::KeyReused
        | MarketplaceRefusal::ItemUnavailable
        | MarketplaceRefusal::PriceRefused
        | MarketplaceRefusal::Other(_) => FailureCode::Other,
    }
}
