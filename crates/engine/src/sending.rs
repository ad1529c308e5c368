//! Sending a purchase that was recorded: once more whether it still makes sense, then the call, then what it came to.

use tokio::time::Instant;
use tradepost_domain::money::Cents;
use tradepost_domain::purchase::{CancelCause, FailureCode, Order, Purchase, PurchaseEvent, PurchaseTerms};
use tradepost_domain::text::ExternalId;
use tradepost_operations::{Code, Versioned};
use tradepost_ports::marketplace::{BuyRequest, ListingStatus, MarketplaceRefusal};
use tradepost_ports::outside::OutsideError;

use crate::Engine;
use crate::exchange::{Counter, OurOrder};
use crate::trouble::{Tried, Trouble};

impl Engine {
    /// Sends a purchase, or withdraws it. What is committed last says how far it came, whatever happens in between. One that comes
    /// into doubt keeps this pass from buying more at its marketplace.
    pub(crate) async fn send(&mut self, recorded: Versioned<Purchase>) -> Tried {
        let terms = &recorded.value.terms;
        let (venue, account) = (self.venue(&terms.marketplace)?, self.account(&terms.account_name)?);
        let counter = venue.at(terms.exchange_rate);
        let on_sale = still_on_sale(&counter, &terms.listing_id).await?;
        let Some(listing_price) = on_sale.filter(|price| self.covers_fee(terms, *price)) else {
            return self.withdraw(&recorded).await;
        };
        self.note_balance(&venue, terms.id).await?;
        let begun = Instant::now();
        let submitted = match self.tell(&recorded, PurchaseEvent::Submitted { listing_price }).await {
            Err(Trouble::Operation(refusal)) if refusal.code == Code::FailedPrecondition => {
                tracing::debug!(reason = refusal.reason, "a purchase is withdrawn before it is sent");
                return self.withdraw(&recorded).await;
            }
            submitted => submitted?,
        };
        let request = BuyRequest {
            key: key_of(&recorded.value),
            listing_id: terms.listing_id.clone(),
            max_price: listing_price,
            deliver_to: account.address,
        };
        if begun.elapsed() >= self.timings.sent_within() {
            self.doubts.arise_at(venue.name);
            return Err(Trouble::StoodStill);
        }
        let outcome = match counter.buy(request).await {
            Ok(order) => PurchaseEvent::Accepted(order_of(&order)),
            Err(OutsideError::Definite(refusal)) => PurchaseEvent::Refused(failure_of(&refusal)),
            Err(error) if error.did_nothing() => PurchaseEvent::Refused(FailureCode::Other),
            Err(error) => {
                tracing::warn!(purchase = %terms.id, %error, "purchase outcome unknown; its money stays reserved");
                PurchaseEvent::OutcomeLost
            }
        };
        let is_lost = outcome == PurchaseEvent::OutcomeLost;
        if let Some(spent) = spent_on(terms, &outcome) {
            self.market.spend(&venue.name, spent);
        }
        let told = self.tell(&submitted, outcome).await.map(drop);
        if is_lost || told.is_err() {
            self.doubts.arise_at(venue.name);
        } else {
            self.doubts.settle(terms.id);
        }
        told
    }

    /// Whether what was reserved is enough for the fee that is charged abroad at this price: since a person agreed to buy, the rate may have
    /// moved, and the fee with it.
    fn covers_fee(&self, terms: &PurchaseTerms, price: Cents) -> bool {
        if terms.exchange_rate.is_none() {
            return true;
        }
        let Some(charges) = self.market.fees.get(&terms.marketplace) else { return false };
        let fee = charges.on_buying(&terms.market_hash_name, self.now(), price);
        fee.and_then(|fee| price.plus(fee)).is_ok_and(|cost| cost <= terms.max_buy_price)
    }

    async fn withdraw(&self, recorded: &Versioned<Purchase>) -> Tried {
        self.tell(recorded, PurchaseEvent::Cancelled(CancelCause::CheckFailed)).await.map(drop)
    }
}

/// The price of a listing that can still be bought.
async fn still_on_sale(counter: &Counter, id: &ExternalId) -> Tried<Option<Cents>> {
    let listing = counter.listing(id).await?;
    Ok(listing.filter(|listing| listing.status == ListingStatus::OnSale).map(|listing| listing.offered.price))
}

/// What a purchase has cost by its outcome, or may have; nothing when it was refused.
fn spent_on(terms: &PurchaseTerms, outcome: &PurchaseEvent) -> Option<Cents> {
    if let PurchaseEvent::Accepted(order) = outcome {
        return order.cost().ok();
    }
    (*outcome == PurchaseEvent::OutcomeLost).then_some(terms.max_buy_price)
}

/// The key under which a marketplace sells once: the purchase's id.
pub(crate) fn key_of(purchase: &Purchase) -> ExternalId {
    purchase.terms.id.to_bytes().into()
}

pub(crate) fn order_of(order: &OurOrder) -> Order {
    Order { id: order.id.clone(), executed_price: order.price, fee: order.fee }
}

fn failure_of(refusal: &MarketplaceRefusal) -> FailureCode {
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
