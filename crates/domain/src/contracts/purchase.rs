//! A purchase: one attempt to buy one listing, from the reserved money to the item or the refund.
//!
//! What was decided at the start never changes and sits in [`PurchaseTerms`]; what happened since sits in [`Progress`]. A
//! [`Purchase`] can be read freely but only made by [`Purchase::record`] and [`Purchase::import`], changed by [`Purchase::apply`] and
//! read back from a store by [`Purchase::restore`], so that no illegal one exists. Its revision counter belongs to the store.

mod absence;
mod event;
mod machine;
mod status;

use std::ops::Deref;

use crate::asset::{AppId, AssetId};
use crate::contracts::inventory_item::Traits;
use crate::id::{ContractId, IntentId, PurchaseId, WorkspaceId};
use crate::markets::exchange::ExchangeRate;
use crate::money::{Cents, MoneyError};
use crate::text::{AccountName, ExternalId, MarketHashName, Marketplace};
use crate::time::Timestamp;

pub use absence::{Absence, BalancesRead, ListingOutcome, OrderOrigin};
pub use event::{CancelCause, Order, PurchaseEvent};
pub use machine::{LOOKUP_SPACING, PENDING_LIFETIME, PROTECTION_MARGIN, PurchaseError};
pub use status::{FailureCode, PurchaseStatus};

/// What is bought, where, for which contract and for how much: fixed when the purchase is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseTerms {
    /// The purchase's id.
    pub id: PurchaseId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The buying contract; `None` of what was bought before it was recorded here.
    pub contract_id: Option<ContractId>,
    /// The intent that led to it, if there was one.
    pub intent_id: Option<IntentId>,
    /// The game.
    pub app_id: AppId,
    /// The item variant.
    pub market_hash_name: MarketHashName,
    /// The traits of the item, as the listing showed them when the purchase was decided. On the heap, since few steps of a purchase
    /// read them.
    pub traits: Box<Traits>,
    /// The listing's price when the purchase was decided.
    pub listing_price: Cents,
    /// The most that price and fee may come to; this much is reserved.
    pub max_buy_price: Cents,
    /// What the marketplace is expected to take on top of the price, as found when the purchase was decided.
    pub platform_fee: Cents,
    /// The marketplace's id of the listing.
    pub listing_id: ExternalId,
    /// The item's asset id while with its seller.
    pub listing_asset_id: AssetId,
    /// The marketplace.
    pub marketplace: Marketplace,
    /// The trading account that buys.
    pub account_name: AccountName,
    /// By which rate the amounts of the marketplace come to those of the purchase, where they are in another currency.
    pub exchange_rate: Option<ExchangeRate>,
}

/// What has happened to a purchase so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// The marketplace's confirmation; present once paid.
    pub order: Option<Order>,
    /// The trade offer that brings the item.
    pub trade_offer_id: Option<ExternalId>,
    /// The trade that brings or brought the item.
    pub trade_id: Option<ExternalId>,
    /// When the escrow ends or ended.
    pub held_until: Option<Timestamp>,
    /// Until when the trade can be reversed; present once the item was ours.
    pub protected_until: Option<Timestamp>,
    /// Why it failed or was not delivered.
    pub failure_code: Option<FailureCode>,
    /// The money that came back, in all parts together.
    pub refunded: Cents,
}

/// All fields of a purchase, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseParts {
    /// What was decided.
    pub terms: PurchaseTerms,
    /// The current status.
    pub status: PurchaseStatus,
    /// What has happened.
    pub progress: Progress,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A purchase that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase(PurchaseParts);

/// Why the terms of a purchase were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// The listing costs nothing.
    #[error("the listing price must be more than zero")]
    FreeListing,
    /// Price and fee exceed the maximum.
    #[error("price and fee come to {}, more than the maximum of {}", .all_in.decimal(), .max_buy_price.decimal())]
    AboveMaximum {
        /// Listing price and platform fee.
        all_in: Cents,
        /// The most that they may come to.
        max_buy_price: Cents,
    },
    /// Price and fee are more than an amount can be.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// A stored purchase breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a purchase that is {status} breaks a rule: {rule}")]
pub struct CorruptPurchase {
    /// The stored status.
    pub status: PurchaseStatus,
    /// The rule.
    pub rule: &'static str,
}

/// What a purchase adds to the counters of its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CounterDelta {
    /// 1 while the item may still arrive or money is owed.
    pub open_quantity: u32,
    /// 1 while the item is ours.
    pub filled_quantity: u32,
    /// Money spent and not returned.
    pub spent: Cents,
    /// Money reserved.
    pub reserved: Cents,
}

impl PurchaseTerms {
    /// Returns the key of the order: a marketplace that keeps keys sells at most once under it.
    pub fn order_key(&self) -> ExternalId {
        self.id.to_bytes().into()
    }

    /// What the marketplace takes on top of another price than the listing's, if that is the same part of it. The fee of the listing
    /// where that would be more than an amount can be.
    pub fn fee_at(&self, price: Cents) -> Cents {
        let [fee, price, listed] = [self.platform_fee, price, self.listing_price].map(|cents| i128::from(cents.get()));
        let part = (fee * price + listed / 2).checked_div(listed);
        let part = part.and_then(|cents| i64::try_from(cents).ok()).and_then(|cents| Cents::new(cents).ok());
        part.unwrap_or(self.platform_fee)
    }

    fn check(&self) -> Result<(), TermsError> {
        if self.listing_price == Cents::ZERO {
            return Err(TermsError::FreeListing);
        }
        let all_in = self.listing_price.plus(self.platform_fee)?;
        let max_buy_price = self.max_buy_price;
        if all_in > max_buy_price { Err(TermsError::AboveMaximum { all_in, max_buy_price }) } else { Ok(()) }
    }
}

impl Purchase {
    /// Records a new purchase: money is reserved, nothing is sent.
    ///
    /// # Errors
    /// [`TermsError`] unless `0 < listing price` and `listing price + platform fee <= maximum`.
    pub fn record(terms: PurchaseTerms, at: Timestamp) -> Result<Self, TermsError> {
        terms.check()?;
        let status = PurchaseStatus::Pending;
        Ok(Self(PurchaseParts { terms, status, progress: Progress::default(), created_at: at, updated_at: at }))
    }

    /// Records the purchase of an item that was ours before it was recorded here, by no contract. It is final. Without `paid` its cost is
    /// unknown.
    ///
    /// # Errors
    /// [`CorruptPurchase`] for terms with a contract, for a price above the maximum, and when it was bought later than now.
    pub fn import(
        terms: PurchaseTerms,
        paid: Option<Order>,
        bought_at: Timestamp,
        at: Timestamp,
    ) -> Result<Self, CorruptPurchase> {
        if terms.contract_id.is_some() {
            let rule = "an imported purchase has no contract";
            return Err(CorruptPurchase { status: PurchaseStatus::Settled, rule });
        }
        let progress = Progress { order: paid, protected_until: Some(bought_at), ..Progress::default() };
        let status = PurchaseStatus::Settled;
        Self::restore(PurchaseParts { terms, status, progress, created_at: bought_at, updated_at: at })
    }

    /// Takes a purchase back from a store.
    ///
    /// # Errors
    /// [`CorruptPurchase`] when the parts contradict each other.
    pub fn restore(parts: PurchaseParts) -> Result<Self, CorruptPurchase> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptPurchase { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// The parts, for a store.
    pub fn into_parts(self) -> PurchaseParts {
        self.0
    }

    /// Whether money is reserved for it.
    pub fn holds_reservation(&self) -> bool {
        self.0.status.holds_reservation()
    }

    /// Whether it can still change; at most one live purchase exists for a listing.
    pub fn is_live(&self) -> bool {
        !self.0.status.is_terminal()
    }

    /// Whether it was bought before it was recorded here.
    pub fn is_imported(&self) -> bool {
        self.0.terms.contract_id.is_none()
    }

    /// Whether the item was ever ours: exactly then an inventory item with this purchase exists.
    pub fn was_traded(&self) -> bool {
        self.0.progress.protected_until.is_some()
    }

    /// Whether the marketplace charged more than the purchase may cost.
    pub fn is_overpaid(&self) -> bool {
        self.cost() > self.0.terms.max_buy_price
    }

    /// Price and platform fee as they were charged; zero until paid.
    pub fn cost(&self) -> Cents {
        self.0.progress.order.as_ref().map_or(Cents::ZERO, |order| order.cost().unwrap_or(Cents::MAX))
    }

    /// Price and platform fee as they were charged, zero until paid; `None` where they are unknown.
    pub fn known_cost(&self) -> Option<Cents> {
        let is_unknown = self.is_imported() && self.0.progress.order.is_none();
        (!is_unknown).then(|| self.cost())
    }

    /// The marketplace's id of the order; `None` until it is paid, and where the order of an imported purchase is unknown.
    pub fn order_id(&self) -> Option<&ExternalId> {
        if self.is_imported() {
            // An order is on record with its price alone. Without one its id is recorded in place of the listing.
            let id = self.0.progress.order.as_ref().map_or(&self.0.terms.listing_id, |order| &order.id);
            return Some(id).filter(|id| **id != self.0.terms.order_key());
        }
        self.0.progress.order.as_ref().map(|order| &order.id)
    }

    /// The fee of the marketplace: as it was charged, and until that is known as it is expected.
    pub fn platform_fee(&self) -> Cents {
        self.0.progress.order.as_ref().map_or(self.0.terms.platform_fee, |order| order.fee)
    }

    /// What was paid and has not come back.
    pub fn unrefunded(&self) -> Cents {
        self.cost().minus(self.0.progress.refunded).unwrap_or(Cents::ZERO)
    }

    /// What the purchase adds to the counters of its contract.
    pub fn counter_delta(&self) -> CounterDelta {
        let ours = matches!(self.0.status, PurchaseStatus::Traded | PurchaseStatus::Settled);
        CounterDelta {
            open_quantity: u32::from(self.is_live() && !ours),
            filled_quantity: u32::from(ours),
            // A marketplace may give back more than it took; the contract has not spent less than nothing then.
            spent: self.unrefunded(),
            reserved: if self.holds_reservation() { self.0.terms.max_buy_price } else { Cents::ZERO },
        }
    }
}

impl Deref for Purchase {
    type Target = PurchaseParts;

    fn deref(&self) -> &PurchaseParts {
        &self.0
    }
}

impl PurchaseParts {
    /// The first rule that the parts break. Every record that the machine makes breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        use PurchaseStatus as Is;
        let Progress { order, trade_offer_id, trade_id, held_until, protected_until, failure_code, refunded } =
            &self.progress;
        let status = self.status;
        let ended_in_money = matches!(status, Is::Refunded | Is::WrittenOff);
        let traded =
            matches!(status, Is::Traded | Is::Settled | Is::Reverted) || (ended_in_money && protected_until.is_some());
        let undelivered = status == Is::RefundPending || (ended_in_money && !traded);
        // Of what was bought before it was recorded here, neither the trade nor the price has to be known.
        let imported = self.terms.contract_id.is_none();
        let rules = [
            (!imported || status == Is::Settled, "a purchase without a contract is final"),
            (self.terms.check().is_ok(), "0 < listing price, and listing price + platform fee <= maximum"),
            (order.as_ref().is_none_or(|order| order.cost().is_ok()), "price and fee fit in an amount"),
            (
                order.is_some() == status.was_paid() || (imported && order.is_none()),
                "an order is on record exactly once it is paid",
            ),
            (protected_until.is_some() == traded, "the end of protection is on record exactly once it was traded"),
            (
                trade_id.is_some() || imported || !(traded || status == Is::TradeHeld),
                "a held or completed trade is on record",
            ),
            (trade_id.is_none() || traded || undelivered || status == Is::TradeHeld, "no trade before it is accepted"),
            (held_until.is_none() || trade_id.is_some(), "an escrow is that of a trade"),
            (held_until.is_some() || status != Is::TradeHeld, "a held trade has an end of its escrow"),
            (trade_offer_id.is_some() || status != Is::Offered, "an offered purchase has an offer"),
            (
                trade_offer_id.is_none() || (status.was_paid() && status != Is::Paid),
                "an offer is on record only after payment and while it is open",
            ),
            (
                failure_code.is_some() == (status == Is::Failed || undelivered),
                "a failure code is on record exactly when it failed or was not delivered",
            ),
            ((*refunded > Cents::ZERO) == (status == Is::Refunded), "money came back exactly when it is refunded"),
            (self.created_at <= self.updated_at, "it is not changed before it is recorded"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
