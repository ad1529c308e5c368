//! Decides how the delivery of a paid purchase proceeds: by its order, by what the platform shows of the offer and the trade, and by whether
//! the offered item is the purchased one. Values in, values out.

use time::Duration;
use tradepost_domain::asset::{AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeStatus};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{MovedAsset, Offer, Trade};
use tradepost_ports::marketplace::OrderStatus;

use crate::desk::currency::OurOrder;
use crate::error::{EngineError, EngineResult};

/// What the game platform shows of a delivery.
#[derive(Debug)]
pub(crate) enum PlatformView {
    /// The trade that was begun.
    Trade(Trade),
    /// The offer, not accepted yet.
    Offer(Offer),
    /// Neither.
    Absent,
}

impl PlatformView {
    /// Returns whether a held trade was released: the item is ours, or with its owner again.
    fn ends_hold(&self) -> bool {
        let Self::Trade(trade) = self else { return false };
        match trade.status {
            TradeStatus::Complete
            | TradeStatus::ProtectionRollback
            | TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback => trade.received.iter().any(|moved| moved.moved_to.is_some()),
            TradeStatus::EscrowRollback | TradeStatus::Failed => true,
            TradeStatus::InEscrow
            | TradeStatus::RollbackFailed
            | TradeStatus::RollbackAbandoned
            | TradeStatus::Init
            | TradeStatus::PreCommitted
            | TradeStatus::Committed
            | TradeStatus::Unknown(_) => false,
        }
    }
}

/// A paid purchase, with its order as the marketplace shows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaidPurchase<'a> {
    purchase: &'a Purchase,
    order: &'a OurOrder,
    /// Whether the marketplace has items in custody.
    has_custody: bool,
}

/// First step of a paid purchase, by its order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OrderStep {
    /// Book this refund.
    BookRefund(Cents),
    /// Report that the item was returned and the money is due.
    ReportDue(DeliveryReport),
    /// Read what the platform shows.
    ReadPlatform,
}

/// What is reported of a paid purchase that is not delivered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DeliveryReport {
    /// Nothing: an earlier report stays open.
    Unchanged,
    /// It is in time, or delivered.
    Resolved,
    /// It is overdue or stuck, once that has lasted this long.
    Overdue { shown_by: ExternalId, lasting: Duration },
}

/// Next step while the platform shows neither an offer nor a trade that delivers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SellerStep {
    Apply(PurchaseEvent),
    /// The marketplace has the item in custody and can send it.
    Withdraw,
    Wait,
}

/// Next step of an offer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OfferStep {
    /// Compare it with the purchase.
    Compare,
    Wait,
    /// It delivers nothing.
    Absent,
}

/// Whether an offer gives what was bought and asks for nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OfferMatch<'o> {
    Matches,
    Differs,
    /// The asset id differs: the traits of the offered item decide.
    ByTraits {
        offered: &'o Traits,
        origin: Origin,
    },
}

/// Where an offered item comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The seller sends it. A failed trade gives the item a new asset id; its float and seed stay.
    Seller,
    /// The marketplace sends it from its custody, in an offer that it names itself. It may use any asset id.
    Custody,
}

/// Next step of a trade.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TradeStep {
    /// The item is ours.
    Receive,
    Apply(PurchaseEvent),
    Wait,
    /// It delivers nothing.
    Absent,
}

impl<'a> PaidPurchase<'a> {
    pub(crate) const fn new(purchase: &'a Purchase, order: &'a OurOrder, has_custody: bool) -> Self {
        Self { purchase, order, has_custody }
    }

    /// The offer that the marketplace takes for the delivery, or took when we saw one.
    pub(crate) fn offer_id(self) -> Option<&'a ExternalId> {
        self.order.trade_offer_id.as_ref().or(self.purchase.progress.trade_offer_id.as_ref())
    }

    /// The id that the item had when it was listed.
    fn asset_id(self) -> &'a AssetId {
        self.order.asset_id.as_ref().unwrap_or(&self.purchase.terms.listing_asset_id)
    }

    /// Until when the item is to be sent. Of what is in custody: from when on we can have it.
    fn due_by(self) -> Timestamp {
        let in_custody =
            if let OrderStatus::InCustody { withdrawable_at } = self.order.status { withdrawable_at } else { None };
        self.order.deliver_by.or(in_custody).unwrap_or(self.purchase.updated_at)
    }

    /// How long the delivery has to be overdue before that is reported. When an item left custody shows nowhere, unless the order has a
    /// deadline: then it counts from the first time that it is seen to have left.
    fn grace(self, patience: Duration) -> Duration {
        let left_custody = self.has_custody && self.order.deliver_by.is_none();
        if left_custody && self.purchase.status == PurchaseStatus::Paid { patience } else { Duration::ZERO }
    }

    /// Whether we are left without item and money for longer than we should: the deadline of the seller is over and the order goes
    /// on, the platform holds the trade beyond its time or for a marketplace that has given it up, or the refund does not come.
    fn is_overdue(self, now: Timestamp, sight: Option<&PlatformView>, patience: Duration) -> bool {
        let purchase = self.purchase;
        match purchase.status {
            PurchaseStatus::Paid | PurchaseStatus::Offered => {
                self.marketplace_failure().is_none() && now > self.due_by().plus(patience)
            }
            PurchaseStatus::TradeHeld => {
                let until = purchase.progress.held_until.unwrap_or(purchase.updated_at);
                !sight.is_some_and(PlatformView::ends_hold)
                    && (self.marketplace_failure().is_some() || now > until.plus(patience))
            }
            PurchaseStatus::RefundPending => {
                let is_back = self.order.status == OrderStatus::Refunded;
                self.is_zero_refund() || (!is_back && now > purchase.updated_at.plus(patience))
            }
            PurchaseStatus::Reverted => self.is_zero_refund(),
            PurchaseStatus::Pending
            | PurchaseStatus::Submitted
            | PurchaseStatus::Uncertain
            | PurchaseStatus::Traded
            | PurchaseStatus::Settled
            | PurchaseStatus::Failed
            | PurchaseStatus::Cancelled
            | PurchaseStatus::Refunded
            | PurchaseStatus::WrittenOff => false,
        }
    }

    /// Whether the marketplace says that the money is back, and has kept all of it.
    fn is_zero_refund(self) -> bool {
        self.order.status == OrderStatus::Refunded && self.order.refunded == Cents::ZERO
    }

    /// What the marketplace has paid back, if it has.
    fn refund(self) -> Option<Cents> {
        let is_back = self.order.status == OrderStatus::Refunded && !self.is_zero_refund();
        is_back.then_some(self.order.refunded)
    }

    /// Why the marketplace gave it up, if it did.
    const fn marketplace_failure(self) -> Option<FailureCode> {
        match self.order.status {
            OrderStatus::Failed(code) => Some(code),
            // It ended unobserved.
            OrderStatus::Refunded => Some(FailureCode::CancelledByMarketplace),
            OrderStatus::AwaitingCommit
            | OrderStatus::AwaitingSeller
            | OrderStatus::InCustody { .. }
            | OrderStatus::Offered
            | OrderStatus::Delivered
            | OrderStatus::Settled
            | OrderStatus::Reverted
            | OrderStatus::Other(_) => None,
        }
    }

    pub(crate) fn order_step(self, now: Timestamp, patience: Duration) -> OrderStep {
        let status = self.purchase.status;
        match self.refund().filter(|_| matches!(status, PurchaseStatus::RefundPending | PurchaseStatus::Reverted)) {
            Some(amount) => OrderStep::BookRefund(amount),
            None if status == PurchaseStatus::Reverted => {
                OrderStep::ReportDue(if self.is_overdue(now, None, patience) {
                    DeliveryReport::Overdue { shown_by: self.order.id.clone(), lasting: Duration::ZERO }
                } else {
                    DeliveryReport::Resolved
                })
            }
            None => OrderStep::ReadPlatform,
        }
    }

    /// Decides what to report after a look at the platform. While the platform does not answer, an earlier report stays open.
    pub(crate) fn report(
        self,
        sight: Result<&PlatformView, &EngineError>,
        now: Timestamp,
        patience: Duration,
    ) -> DeliveryReport {
        if let Ok(PlatformView::Trade(trade)) = sight
            && trade.status.is_stuck()
        {
            return DeliveryReport::Overdue { shown_by: trade.id.clone(), lasting: Duration::ZERO };
        }
        let is_refused = matches!(sight, Err(EngineError::Platform(ExternalError::Rejected(_))));
        let is_unknown = is_refused && unknown_for_too_long(self.purchase, now, patience);
        if is_unknown || self.is_overdue(now, sight.ok(), patience) {
            DeliveryReport::Overdue { shown_by: self.order.id.clone(), lasting: self.grace(patience) }
        } else if sight.is_err() {
            DeliveryReport::Unchanged
        } else {
            DeliveryReport::Resolved
        }
    }

    /// The seller still has to deliver, or never will.
    pub(crate) fn seller_step(self, now: Timestamp) -> SellerStep {
        match (self.purchase.status, self.marketplace_failure()) {
            (PurchaseStatus::Paid | PurchaseStatus::Offered, Some(code)) => {
                SellerStep::Apply(PurchaseEvent::DeliveryFailed(code))
            }
            (PurchaseStatus::Offered, None) => SellerStep::Apply(PurchaseEvent::OfferLost),
            (PurchaseStatus::Paid, None) if self.is_withdrawable(now) => SellerStep::Withdraw,
            _ => SellerStep::Wait,
        }
    }

    fn is_withdrawable(self, now: Timestamp) -> bool {
        let OrderStatus::InCustody { withdrawable_at } = self.order.status else { return false };
        withdrawable_at.is_none_or(|at| at <= now)
    }

    pub(crate) fn offer_step(self, offer: &Offer) -> OfferStep {
        match offer.status {
            // After a refund the item is not accepted.
            _ if self.order.status == OrderStatus::Refunded => OfferStep::Absent,
            // The platform does not show the items at present. What is not seen is not accepted.
            OfferStatus::Active if offer.give.is_empty() && offer.receive.is_empty() => OfferStep::Wait,
            OfferStatus::Active => OfferStep::Compare,
            OfferStatus::Accepted
            | OfferStatus::InEscrow
            | OfferStatus::NeedsConfirmation
            | OfferStatus::Unknown(_) => OfferStep::Wait,
            OfferStatus::Invalid
            | OfferStatus::Countered
            | OfferStatus::Expired
            | OfferStatus::Cancelled
            | OfferStatus::Declined
            | OfferStatus::InvalidItems
            | OfferStatus::CancelledBySecondFactor => OfferStep::Absent,
        }
    }

    pub(crate) fn offer_match(self, offer: &Offer) -> OfferMatch<'_> {
        let [given] = offer.receive.as_slice() else { return OfferMatch::Differs };
        // Where the marketplace does not name the seller it has named this very offer, or it would not have been looked at.
        let is_sellers = self.order.seller.is_none_or(|seller| seller == offer.partner);
        let is_from_seller = is_sellers && !offer.is_ours && offer.give.is_empty();
        if !is_from_seller || given.market_hash_name != self.purchase.terms.market_hash_name {
            return OfferMatch::Differs;
        }
        if given.asset_id == *self.asset_id() {
            return OfferMatch::Matches;
        }
        let is_in_custody = self.order.seller.is_none() && self.has_custody;
        let origin = if is_in_custody { Origin::Custody } else { Origin::Seller };
        OfferMatch::ByTraits { offered: &given.traits, origin }
    }

    pub(crate) fn trade_step(self, trade: &Trade) -> TradeStep {
        let status = self.purchase.status;
        let (is_held, is_given_up) = (status == PurchaseStatus::TradeHeld, self.marketplace_failure().is_some());
        let event = match trade.status {
            // An item that was returned later was received first, and its chain shows both.
            TradeStatus::Complete
            | TradeStatus::ProtectionRollback
            | TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback => return TradeStep::Receive,
            TradeStatus::InEscrow if is_held => return TradeStep::Wait,
            TradeStatus::InEscrow => {
                let held_until = trade.held_until.unwrap_or(trade.started_at);
                PurchaseEvent::TradeHeld { trade_id: trade.id.clone(), held_until }
            }
            TradeStatus::EscrowRollback | TradeStatus::Failed if is_held => PurchaseEvent::HoldRolledBack,
            TradeStatus::EscrowRollback => PurchaseEvent::DeliveryFailed(FailureCode::EscrowRolledBack),
            // The items are with their owners again, and the seller sends another offer.
            TradeStatus::Failed => return TradeStep::Absent,
            // Neither side has the item, and it never comes: that counts once the marketplace reports it as well.
            TradeStatus::RollbackFailed | TradeStatus::RollbackAbandoned if is_given_up && is_held => {
                PurchaseEvent::HoldRolledBack
            }
            TradeStatus::RollbackFailed | TradeStatus::RollbackAbandoned if is_given_up => return TradeStep::Absent,
            TradeStatus::RollbackFailed
            | TradeStatus::RollbackAbandoned
            | TradeStatus::Init
            | TradeStatus::PreCommitted
            | TradeStatus::Committed
            | TradeStatus::Unknown(_) => return TradeStep::Wait,
        };
        if status == PurchaseStatus::RefundPending { TradeStep::Wait } else { TradeStep::Apply(event) }
    }

    /// The refund of an item that this trade brought, unless a later trade shows that the item was returned for it.
    pub(crate) fn refund_despite(self, trade: &Trade) -> Option<Cents> {
        self.refund().filter(|_| trade.status == TradeStatus::Complete)
    }

    /// The asset that a trade brought for the purchase, and where it is now. Until the platform shows its new id, it waits.
    pub(crate) fn received_asset(self, trade: &Trade) -> Option<(&MovedAsset, ContextId, &AssetId)> {
        let is_it = |moved: &&MovedAsset| {
            moved.asset_id == *self.asset_id() || moved.market_hash_name == self.purchase.terms.market_hash_name
        };
        let moved = trade.received.iter().find(is_it)?;
        let (context_id, asset_id) = moved.moved_to.as_ref()?;
        Some((moved, *context_id, asset_id))
    }
}

/// Returns whether an item of the purchased name is the purchased item, by what the listing showed and what the offer shows.
///
/// A seller can send a worse item of the same name, so its float has to be known and equal. A marketplace that has the item in custody names
/// its own offer, so the item only must not contradict the listing: many items have no float, and old listings are forgotten.
pub(crate) fn is_purchased_item(listed: &Traits, offered: &Traits, origin: Origin) -> bool {
    match origin {
        Origin::Seller => {
            let float = |traits: &Traits| traits.wear.as_ref().map(FloatValue::from);
            float(offered).is_some() && float(listed) == float(offered) && listed.paint_seed == offered.paint_seed
        }
        Origin::Custody => identity(offered).difference(&identity(listed)).is_none(),
    }
}

/// The traits that never change: stickers and charms can be removed.
fn identity(traits: &Traits) -> Traits {
    Traits { wear: traits.wear.clone(), paint_seed: traits.paint_seed, ..Traits::default() }
}

/// Returns whether a later trade took back what this one brought. As long as a trade can be reversed, only that one says so.
pub(crate) fn is_reversed_by_any(trade: &Trade, later: &[Trade]) -> bool {
    later.iter().any(|later| later.rollback_of.as_ref() == Some(&trade.id))
}

/// Decides what to report of a purchase whose order the marketplace does not know.
pub(crate) fn unknown_order_report(
    purchase: &Purchase,
    order_id: &ExternalId,
    now: Timestamp,
    patience: Duration,
) -> DeliveryReport {
    if unknown_for_too_long(purchase, now, patience) {
        DeliveryReport::Overdue { shown_by: order_id.clone(), lasting: Duration::ZERO }
    } else {
        DeliveryReport::Unchanged
    }
}

/// Returns whether a refund is booked although the platform does not show whether the item came: it rejects the account's session, and has
/// for long. The money did come; the item is late if it appears.
pub(crate) fn is_refund_final(
    purchase: &Purchase,
    amount: Cents,
    followed: &EngineResult,
    now: Timestamp,
    patience: Duration,
) -> bool {
    let is_unread = matches!(followed, Err(EngineError::Platform(ExternalError::AuthLost { .. })));
    is_unread && amount != Cents::ZERO && unknown_for_too_long(purchase, now, patience)
}

/// Returns whether a purchase is in its status for so long that a marketplace or a platform which does not know its order or its trade
/// is not only slow.
fn unknown_for_too_long(purchase: &Purchase, now: Timestamp, patience: Duration) -> bool {
    now > purchase.updated_at.plus(patience)
}

#[cfg(test)]
mod tests;
