//! Submits a recorded purchase: checks the listing again, calls the marketplace, and records the outcome.

use tokio::time::Instant;
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, Order, Purchase, PurchaseEvent, PurchaseTerms};
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_operations::Versioned;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{BuyRequest, ListingStatus, MarketplaceRefusal, MarketplaceResult};

use crate::context::Context;
use crate::desk::currency::{ConvertedMarketplace, OurOrder};
use crate::error::{EngineError, EngineResult};
use crate::market::state::MarketState;
use crate::orders::Orders;

/// How often a purchase is tried to be recorded as submitted while other processes change the same records.
const ATTEMPTS: u32 = 3;

impl Orders {
    /// Submits a purchase, or withdraws it. The last commit shows how far it came, whatever happens in between.
    ///
    /// While its outcome is unknown, nothing more is bought at its marketplace.
    pub(crate) async fn submit(
        &mut self,
        context: &Context,
        market_state: &mut MarketState,
        recorded: Versioned<Purchase>,
    ) -> EngineResult {
        let terms = &recorded.value.terms;
        let venue = context.venue(&terms.marketplace)?;
        let Some(deliver_to) = context.address_for_delivery(&terms.account_name).await? else {
            return withdraw_purchase(context, &recorded).await;
        };
        let counter = venue.with_rate(terms.exchange_rate);
        let on_sale = current_price(&counter, &terms.listing_id).await?;
        let Some(listing_price) = on_sale.filter(|price| {
            let charges = market_state.fees(&terms.marketplace);
            covers_fee(charges, terms, *price, context.now())
        }) else {
            return withdraw_purchase(context, &recorded).await;
        };
        self.note_balance(context, market_state, &venue, terms.id).await?;
        let (begun, submitted) = match record_submission(context, &recorded, listing_price).await {
            Err(error) if error.keeps_from_submitting() => {
                tracing::debug!(purchase = %terms.id, %error, "a purchase is withdrawn before it is sent");
                return withdraw_purchase(context, &recorded).await;
            }
            submitted => submitted?,
        };
        let request = BuyRequest {
            key: terms.order_key(),
            listing_id: terms.listing_id.clone(),
            max_price: listing_price,
            deliver_to,
        };
        if begun.elapsed() >= context.timings().sent_within {
            self.uncertain.mark_uncertain(venue.name);
            return Err(EngineError::SubmitTooLate);
        }
        let answer = counter.buy(request).await;
        let outcome = outcome_of(&answer);
        let is_lost = outcome == PurchaseEvent::OutcomeLost;
        if let Err(error) = answer
            && is_lost
        {
            tracing::warn!(purchase = %terms.id, %error, "purchase outcome unknown; its money stays reserved");
        }
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

/// Returns whether the reserved money covers the price and the fee in another currency.
///
/// The rate may have changed since an operator approved the purchase, and the fee with it.
fn covers_fee(charges: Option<&Charges>, terms: &PurchaseTerms, price: Cents, at: Timestamp) -> bool {
    if terms.exchange_rate.is_none() {
        return true;
    }
    let Some(charges) = charges else { return false };
    let fee = charges.on_buying(&terms.market_hash_name, at, price);
    fee.and_then(|fee| price.plus(fee)).is_ok_and(|cost| cost <= terms.max_buy_price)
}

/// Records that a purchase is submitted. Returns when that was begun, and the purchase. A lost race has recorded nothing, so it is tried again.
///
/// # Errors
/// After the last lost race, the conflict. The purchase is not sent then, and is withdrawn once it has expired.
async fn record_submission(
    context: &Context,
    recorded: &Versioned<Purchase>,
    listing_price: Cents,
) -> EngineResult<(Instant, Versioned<Purchase>)> {
    let mut tried = 1_u32;
    loop {
        let begun = Instant::now();
        match context.apply_purchase_event(recorded, PurchaseEvent::Submitted { listing_price }).await {
            Err(error) if error.is_conflict() && tried < ATTEMPTS => tried = tried.saturating_add(1),
            submitted => return Ok((begun, submitted?)),
        }
    }
}

async fn withdraw_purchase(context: &Context, recorded: &Versioned<Purchase>) -> EngineResult {
    context.apply_purchase_event(recorded, PurchaseEvent::Cancelled(CancelCause::CheckFailed)).await.map(drop)
}

/// Returns the price of a listing that is still for sale.
async fn current_price(counter: &ConvertedMarketplace, id: &ExternalId) -> EngineResult<Option<Cents>> {
    let listing = counter.listing(id).await?;
    Ok(listing.filter(|listing| listing.status == ListingStatus::OnSale).map(|listing| listing.offered.price))
}

/// Returns what an answer to an order means for its purchase. Only a definite answer ends the uncertainty.
fn outcome_of(answer: &MarketplaceResult<OurOrder>) -> PurchaseEvent {
    match answer {
        Ok(order) => PurchaseEvent::Accepted(placed_order(order)),
        Err(ExternalError::Rejected(refusal)) => PurchaseEvent::Refused(failure_code(refusal)),
        Err(error) if error.did_nothing() => PurchaseEvent::Refused(FailureCode::Other),
        Err(_) => PurchaseEvent::OutcomeLost,
    }
}

/// Returns what a purchase has cost by its outcome, or may have cost; nothing if it was rejected.
fn amount_spent(terms: &PurchaseTerms, outcome: &PurchaseEvent) -> Option<Cents> {
    if let PurchaseEvent::Accepted(order) = outcome {
        return order.cost().ok();
    }
    (*outcome == PurchaseEvent::OutcomeLost).then_some(terms.max_buy_price)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tradepost_domain::contracts::purchase::PurchaseStatus;
    use tradepost_operations::{OpError, Reason};
    use tradepost_ports::external::Effect;
    use tradepost_ports::marketplace::OrderStatus;
    use tradepost_ports::store::StoreError;
    use tradepost_testkit::samples::{Samples, minute, text};

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    fn terms() -> PurchaseTerms {
        let samples = Samples::seeded(8);
        samples.purchase(samples.id(), samples.id(), PurchaseStatus::Pending).terms.clone()
    }

    fn order() -> OurOrder {
        OurOrder {
            id: text("order-1"),
            key: None,
            listing_id: text("listing-1"),
            asset_id: None,
            seller: None,
            price: cents(1_190),
            fee: cents(30),
            status: OrderStatus::AwaitingSeller,
            trade_offer_id: None,
            deliver_by: None,
            refunded: Cents::ZERO,
        }
    }

    fn limited(effect: Effect) -> MarketplaceResult<OurOrder> {
        Err(ExternalError::RateLimited { retry_after: Duration::from_secs(1), effect })
    }

    #[test]
    fn an_answer_that_may_have_had_an_effect_leaves_the_outcome_unknown() {
        assert_eq!(outcome_of(&limited(Effect::Unknown)), PurchaseEvent::OutcomeLost);
        assert_eq!(outcome_of(&Err(ExternalError::Unknown("timeout".to_owned()))), PurchaseEvent::OutcomeLost);
    }

    #[test]
    fn a_definite_answer_accepts_or_rejects_the_purchase() {
        let placed = Order { id: text("order-1"), executed_price: cents(1_190), fee: cents(30) };
        assert_eq!(outcome_of(&Ok(order())), PurchaseEvent::Accepted(placed));
        let sold = Err(ExternalError::Rejected(MarketplaceRefusal::SoldAlready));
        assert_eq!(outcome_of(&sold), PurchaseEvent::Refused(FailureCode::SoldAlready));
        assert_eq!(outcome_of(&limited(Effect::Nothing)), PurchaseEvent::Refused(FailureCode::Other));
    }

    #[test]
    fn an_unknown_outcome_spends_the_maximum_and_a_rejection_spends_nothing() {
        let spent = |outcome| amount_spent(&terms(), &outcome);
        assert_eq!(spent(outcome_of(&Ok(order()))), Some(cents(1_220)));
        assert_eq!(spent(PurchaseEvent::OutcomeLost), Some(cents(1_500)));
        assert_eq!(spent(PurchaseEvent::Refused(FailureCode::SoldAlready)), None);
    }

    #[test]
    fn a_purchase_is_withdrawn_for_what_keeps_it_from_being_paid_and_not_for_a_record_that_changed() {
        let withdraws =
            |reason| EngineError::from(OpError::failed_precondition(reason, "a test")).keeps_from_submitting();
        let halted = [Reason::TradingHalted, Reason::ProviderDisabled];
        for reason in halted.into_iter().chain([Reason::ContractNotActive, Reason::TooExpensive]) {
            assert!(withdraws(reason), "{}", reason.as_str());
        }
        for reason in [Reason::VersionMismatch, Reason::CallerChanged, Reason::IllegalStep] {
            assert!(!withdraws(reason), "{}", reason.as_str());
        }
        let lost = EngineError::from(OpError::from(StoreError::Conflict));
        assert!(lost.is_conflict() && !lost.keeps_from_submitting());
    }

    #[test]
    fn a_fee_in_another_currency_is_covered_by_the_maximum_or_the_purchase_is_withdrawn() {
        let (abroad, charges) = (terms(), Charges::from(Samples::seeded(8).fees()));
        let covers = |terms: &PurchaseTerms, price| covers_fee(Some(&charges), terms, cents(price), minute(0));
        assert!(covers(&abroad, 1_400), "with a fee of 7");
        assert!(!covers(&abroad, 1_495), "with a fee of 7");
        assert!(!covers_fee(None, &abroad, cents(1_200), minute(0)), "the fees are unknown");
        let at_home = PurchaseTerms { exchange_rate: None, ..terms() };
        assert!(covers(&at_home, 1_500) && covers_fee(None, &at_home, cents(1_500), minute(0)));
    }
}
