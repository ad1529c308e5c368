//! What can happen to a purchase, each event with the evidence that it rests on.

use crate::contracts::purchase::{Absence, FailureCode};
use crate::money::{Cents, MoneyError};
use crate::text::{Description, ExternalId};
use crate::time::Timestamp;

/// Something that happened to a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurchaseEvent {
    /// The marketplace is about to be asked; the record is committed before the call.
    Submitted {
        /// The listing's price, read again just now.
        listing_price: Cents,
    },
    /// Withdrawn before anything was sent.
    Cancelled(CancelCause),
    /// The marketplace sold us the listing.
    Accepted(Order),
    /// The marketplace refused and says that nothing was charged.
    Refused(FailureCode),
    /// The call ended without a definite answer: a timeout, a broken reply, a restart in between.
    OutcomeLost,
    /// A look-up found the order that the lost call placed.
    OrderFound(Order),
    /// Look-ups prove that the lost call placed no order.
    OrderAbsent(Absence),
    /// The seller's trade offer arrived and matches the order.
    OfferSeen {
        /// The offer.
        trade_offer_id: ExternalId,
        /// Whether the offer asks for items of ours; such an offer is never the delivery of a purchase.
        asks_for_ours: bool,
    },
    /// The offer vanished or was countered while the order stayed open.
    OfferLost,
    /// The seller or the marketplace failed after payment.
    DeliveryFailed(FailureCode),
    /// The trade was accepted and is held in escrow.
    TradeHeld {
        /// The trade.
        trade_id: ExternalId,
        /// When the escrow ends.
        held_until: Timestamp,
    },
    /// The trade was rolled back out of escrow.
    HoldRolledBack,
    /// The trade is complete and the item is ours.
    ItemReceived {
        /// The trade.
        trade_id: ExternalId,
        /// Until when the trade can be reversed; the time of the trade where the platform protects nothing.
        protected_until: Timestamp,
    },
    /// The trade can no longer be reversed and the item was seen outside the protected context.
    ProtectionEnded,
    /// The trade was reversed and the item is lost.
    TradeReversed {
        /// The trade that gave the item back.
        rollback_trade_id: ExternalId,
    },
    /// The money came back.
    RefundBooked {
        /// How much of it.
        amount: Cents,
    },
    /// More of the money came back after the first refund.
    RefundAdded {
        /// How much came back in all parts together, so that one part is never booked twice.
        total: Cents,
    },
    /// An operator gave the money up.
    WrittenOff,
}

/// Why a purchase was withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CancelCause {
    /// A user or the engine withdrew it.
    Withdrawn,
    /// It was not sent within a minute.
    Expired,
    /// A check just before sending failed: a halt, the contract, the price, the account.
    CheckFailed,
}

/// The marketplace's confirmation that it sold us the listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The marketplace's id of the order.
    pub id: ExternalId,
    /// The price that was charged, without the platform fee.
    pub executed_price: Cents,
    /// The platform fee that was charged; the expected one may differ by a cent, or by more.
    pub fee: Cents,
}

impl Order {
    /// Price and fee.
    ///
    /// # Errors
    /// [`MoneyError`] when they come to more than an amount can be.
    pub const fn cost(&self) -> Result<Cents, MoneyError> {
        self.executed_price.plus(self.fee)
    }
}

impl PurchaseEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Submitted { .. } => "submitted",
            Self::Cancelled(CancelCause::Withdrawn) => "withdrawn",
            Self::Cancelled(CancelCause::Expired) => "expired",
            Self::Cancelled(CancelCause::CheckFailed) => "check_failed",
            Self::Accepted(_) => "accepted",
            Self::Refused(_) => "refused",
            Self::OutcomeLost => "outcome_lost",
            Self::OrderFound(_) => "order_found",
            Self::OrderAbsent(_) => "order_absent",
            Self::OfferSeen { .. } => "offer_seen",
            Self::OfferLost => "offer_lost",
            Self::DeliveryFailed(_) => "delivery_failed",
            Self::TradeHeld { .. } => "trade_held",
            Self::HoldRolledBack => "hold_rolled_back",
            Self::ItemReceived { .. } => "item_received",
            Self::ProtectionEnded => "protection_ended",
            Self::TradeReversed { .. } => "trade_reversed",
            Self::RefundBooked { .. } => "refund_booked",
            Self::RefundAdded { .. } => "refund_added",
            Self::WrittenOff => "written_off",
        }
    }

    /// Returns the evidence in words, for an event without an outside identifier that proves it.
    pub fn in_words(&self) -> Option<Description> {
        if let Self::OrderAbsent(absence) = self { absence.in_words() } else { None }
    }

    /// The outside identifier that proves the event, if it has one.
    pub const fn evidence(&self) -> Option<&ExternalId> {
        match self {
            Self::Accepted(order) | Self::OrderFound(order) => Some(&order.id),
            Self::OfferSeen { trade_offer_id, .. } => Some(trade_offer_id),
            Self::TradeHeld { trade_id, .. } | Self::ItemReceived { trade_id, .. } => Some(trade_id),
            Self::TradeReversed { rollback_trade_id } => Some(rollback_trade_id),
            Self::Submitted { .. }
            | Self::Cancelled(_)
            | Self::Refused(_)
            | Self::OutcomeLost
            | Self::OrderAbsent(_)
            | Self::OfferLost
            | Self::DeliveryFailed(_)
            | Self::HoldRolledBack
            | Self::ProtectionEnded
            | Self::RefundBooked { .. }
            | Self::RefundAdded { .. }
            | Self::WrittenOff => None,
        }
    }
}
