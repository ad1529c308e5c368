//! The life of a purchase: one table of legal steps, the guards of each step, and what a step writes down.

use ::time::Duration;

use super::{Absence, CancelCause, FailureCode, Progress, Purchase, PurchaseEvent, PurchaseParts, PurchaseStatus};
use crate::money::{Cents, MoneyError};
use crate::text::ExternalId;
use crate::time::Timestamp;

/// A purchase that was not sent within this time is withdrawn.
pub const PENDING_LIFETIME: Duration = Duration::seconds(60);
/// The least time between the first and the last look-up that prove an order's absence. It is longer than a call can take to be sent and to
/// end, which the timings of an engine assert.
pub const LOOKUP_SPACING: Duration = Duration::seconds(60);
/// How long after the end of protection a trade counts as final: the platform ends it to the hour at worst.
pub const PROTECTION_MARGIN: Duration = Duration::hours(1);

/// Why an event was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PurchaseError {
    /// The purchase is not in a state in which this can happen.
    #[error("a purchase that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: PurchaseStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// The listing costs more by now than the purchase may.
    #[error("the listing costs {} with its fee, the purchase may cost {}", .price.decimal(), .max_buy_price.decimal())]
    TooExpensive {
        /// The price read again, with the platform fee.
        price: Cents,
        /// The most that the purchase may cost.
        max_buy_price: Cents,
    },
    /// It is too early for this step.
    #[error("this cannot happen before {earliest}")]
    TooEarly {
        /// When it can happen at the earliest.
        earliest: Timestamp,
    },
    /// The look-ups do not prove that no order exists; the reservation has to stay.
    #[error("absence of the order is not proven: {missing}")]
    AbsenceNotProven {
        /// What is missing.
        missing: &'static str,
    },
    /// The offer asks for items of ours.
    #[error("an offer that asks for our items does not deliver a purchase")]
    OfferAsksForOurs,
    /// The trade is not the one that was held.
    #[error("the trade held for this purchase is {held}, not {given}")]
    OtherTrade {
        /// The trade on record.
        held: ExternalId,
        /// The trade given.
        given: ExternalId,
    },
    /// A refund of nothing.
    #[error("a refund must be more than zero")]
    EmptyRefund,
    /// A price outside what an amount can hold.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl PurchaseStatus {
    /// The whole table: the state that `event` leads to, `None` where it cannot happen.
    #[expect(clippy::match_same_arms, reason = "one row for each legal step, with its reason next to it")]
    pub const fn after(self, event: &PurchaseEvent) -> Option<Self> {
        use PurchaseEvent as On;
        use PurchaseStatus as Is;
        Some(match (self, event) {
            (Is::Pending, On::Submitted { .. }) => Is::Submitted,
            (Is::Pending, On::Cancelled(_)) => Is::Cancelled,
            // Charged above the maximum is still charged: the step is taken and `is_overpaid` returns true.
            (Is::Submitted, On::Accepted(_)) => Is::Paid,
            (Is::Submitted, On::Refused(_)) => Is::Failed,
            (Is::Submitted, On::OutcomeLost) => Is::Uncertain,
            (Is::Uncertain, On::OrderFound(_)) => Is::Paid,
            // An unknown outcome fails only on proof. Releasing its money on suspicion is how the same thing is bought twice.
            (Is::Uncertain, On::OrderAbsent(_)) => Is::Failed,
            // A marketplace may execute a call that it had rejected or did not show: the money is paid, and the item will come.
            (Is::Failed, On::OrderFound(_)) => Is::Paid,
            (Is::Paid, On::OfferSeen { .. }) => Is::Offered,
            (Is::Offered, On::OfferLost) => Is::Paid,
            (Is::Paid | Is::Offered, On::DeliveryFailed(_)) => Is::RefundPending,
            // Polling may miss the offer and see only the trade, so both steps are legal without `Offered`.
            (Is::Paid | Is::Offered, On::TradeHeld { .. }) => Is::TradeHeld,
            (Is::Paid | Is::Offered | Is::TradeHeld, On::ItemReceived { .. }) => Is::Traded,
            (Is::TradeHeld, On::HoldRolledBack) => Is::RefundPending,
            // Late delivery: sellers do deliver after the deadline, as long as the refund is not booked the item is ours.
            (Is::RefundPending, On::ItemReceived { .. }) => Is::Traded,
            (Is::Traded, On::ProtectionEnded) => Is::Settled,
            (Is::Traded, On::TradeReversed { .. }) => Is::Reverted,
            (Is::RefundPending | Is::Reverted, On::RefundBooked { .. }) => Is::Refunded,
            (Is::RefundPending | Is::Reverted, On::WrittenOff) => Is::WrittenOff,
            // A marketplace pays back in parts, however long after the first.
            (Is::Refunded, On::RefundAdded { .. }) => Is::Refunded,
            // Where no external system reports the outcome, a user does.
            (Is::Paid | Is::Offered | Is::TradeHeld, On::RefundBooked { .. }) => Is::Refunded,
            (Is::Paid | Is::Offered | Is::TradeHeld, On::WrittenOff) => Is::WrittenOff,
            _ => return None,
        })
    }
}

impl Purchase {
    /// Takes the step that `event` leads to.
    ///
    /// Without effect on anything but the purchase itself: the reservation, the item and the contract's counters move in the
    /// same change, by the caller (`LifecycleUpdate` of the operations).
    ///
    /// # Errors
    /// [`PurchaseError::IllegalStep`] when the event cannot happen in this state, another [`PurchaseError`] when its guard
    /// does not hold.
    pub fn apply(self, event: PurchaseEvent, at: Timestamp) -> Result<Self, PurchaseError> {
        let from = self.0.status;
        let to = from.after(&event).ok_or(PurchaseError::IllegalStep { from, event: event.name() })?;
        let mut parts = self.0;
        check(&parts, &event, at)?;
        write_down(&mut parts, event);
        parts.status = to;
        // A clock that runs behind another node's must not make the record younger.
        parts.updated_at = at.max(parts.updated_at);
        Ok(Self(parts))
    }

    /// Whether the purchase has taken this step before, on the same evidence, so that the event is a repeat to be ignored.
    pub fn has_seen(&self, event: &PurchaseEvent) -> bool {
        let progress = &self.0.progress;
        match event {
            PurchaseEvent::Accepted(order) | PurchaseEvent::OrderFound(order) => progress.order.as_ref() == Some(order),
            PurchaseEvent::OfferSeen { trade_offer_id, .. } => progress.trade_offer_id.as_ref() == Some(trade_offer_id),
            PurchaseEvent::TradeHeld { trade_id, held_until } => {
                progress.trade_id.as_ref() == Some(trade_id) && progress.held_until == Some(*held_until)
            }
            PurchaseEvent::ItemReceived { trade_id, .. } => {
                progress.trade_id.as_ref() == Some(trade_id) && self.was_traded()
            }
            PurchaseEvent::RefundAdded { total } => progress.refunded == *total,
            PurchaseEvent::Submitted { .. }
            | PurchaseEvent::Cancelled(_)
            | PurchaseEvent::Refused(_)
            | PurchaseEvent::OutcomeLost
            | PurchaseEvent::OrderAbsent(_)
            | PurchaseEvent::OfferLost
            | PurchaseEvent::DeliveryFailed(_)
            | PurchaseEvent::HoldRolledBack
            | PurchaseEvent::ProtectionEnded
            | PurchaseEvent::TradeReversed { .. }
            | PurchaseEvent::RefundBooked { .. }
            | PurchaseEvent::WrittenOff => false,
        }
    }
}

/// The guards that can be decided from the record and the event.
fn check(parts: &PurchaseParts, event: &PurchaseEvent, at: Timestamp) -> Result<(), PurchaseError> {
    match event {
        PurchaseEvent::Submitted { listing_price } => check_price(parts, *listing_price),
        PurchaseEvent::Cancelled(CancelCause::Expired) => not_before(parts.created_at.plus(PENDING_LIFETIME), at),
        PurchaseEvent::Accepted(order) | PurchaseEvent::OrderFound(order) => {
            order.cost()?;
            Ok(())
        }
        PurchaseEvent::OrderAbsent(absence) => check_absence(absence),
        PurchaseEvent::OfferSeen { asks_for_ours: true, .. } => Err(PurchaseError::OfferAsksForOurs),
        PurchaseEvent::ItemReceived { trade_id, .. } if parts.status == PurchaseStatus::TradeHeld => {
            match parts.progress.trade_id.as_ref().filter(|held| *held != trade_id) {
                Some(held) => Err(PurchaseError::OtherTrade { held: held.clone(), given: trade_id.clone() }),
                None => Ok(()),
            }
        }
        PurchaseEvent::ProtectionEnded => {
            parts.progress.protected_until.map_or(Ok(()), |until| not_before(until.plus(PROTECTION_MARGIN), at))
        }
        PurchaseEvent::RefundBooked { amount: Cents::ZERO } => Err(PurchaseError::EmptyRefund),
        PurchaseEvent::RefundAdded { total } if *total <= parts.progress.refunded => Err(PurchaseError::EmptyRefund),
        PurchaseEvent::Cancelled(CancelCause::Withdrawn | CancelCause::CheckFailed)
        | PurchaseEvent::Refused(_)
        | PurchaseEvent::OutcomeLost
        | PurchaseEvent::OfferSeen { asks_for_ours: false, .. }
        | PurchaseEvent::OfferLost
        | PurchaseEvent::DeliveryFailed(_)
        | PurchaseEvent::TradeHeld { .. }
        | PurchaseEvent::HoldRolledBack
        | PurchaseEvent::ItemReceived { .. }
        | PurchaseEvent::TradeReversed { .. }
        | PurchaseEvent::RefundBooked { .. }
        | PurchaseEvent::RefundAdded { .. }
        | PurchaseEvent::WrittenOff => Ok(()),
    }
}

/// What a step changes besides the status.
fn write_down(parts: &mut PurchaseParts, event: PurchaseEvent) {
    let progress = &mut parts.progress;
    match event {
        PurchaseEvent::Accepted(order) | PurchaseEvent::OrderFound(order) => {
            progress.order = Some(order);
            progress.failure_code = None;
        }
        PurchaseEvent::Refused(code) | PurchaseEvent::DeliveryFailed(code) => progress.failure_code = Some(code),
        PurchaseEvent::OrderAbsent(_) => progress.failure_code = Some(FailureCode::NotPlaced),
        PurchaseEvent::HoldRolledBack => progress.failure_code = Some(FailureCode::EscrowRolledBack),
        PurchaseEvent::OfferSeen { trade_offer_id, .. } => progress.trade_offer_id = Some(trade_offer_id),
        PurchaseEvent::OfferLost => progress.trade_offer_id = None,
        PurchaseEvent::TradeHeld { trade_id, held_until } => {
            progress.trade_id = Some(trade_id);
            progress.held_until = Some(held_until);
        }
        PurchaseEvent::ItemReceived { trade_id, protected_until } => {
            progress.trade_id = Some(trade_id);
            progress.protected_until = Some(protected_until);
            progress.failure_code = None;
        }
        PurchaseEvent::RefundBooked { amount } => {
            progress.refunded = amount;
            name_failure(progress);
        }
        PurchaseEvent::RefundAdded { total } => progress.refunded = total,
        PurchaseEvent::WrittenOff => name_failure(progress),
        PurchaseEvent::Submitted { .. }
        | PurchaseEvent::Cancelled(_)
        | PurchaseEvent::OutcomeLost
        | PurchaseEvent::ProtectionEnded
        | PurchaseEvent::TradeReversed { .. } => {}
    }
}

/// What was never delivered and ends has failed, for whatever reason.
fn name_failure(progress: &mut Progress) {
    if progress.protected_until.is_none() {
        progress.failure_code = progress.failure_code.or(Some(FailureCode::Other));
    }
}

fn check_price(parts: &PurchaseParts, listing_price: Cents) -> Result<(), PurchaseError> {
    let price = listing_price.plus(parts.terms.platform_fee)?;
    let max_buy_price = parts.terms.max_buy_price;
    if price > max_buy_price { Err(PurchaseError::TooExpensive { price, max_buy_price }) } else { Ok(()) }
}

/// The last guard before a purchase without an answer counts as never made. If it were wrong, the released money could buy a second time.
///
/// The evidence is weighed before: by the engine's `orders::reconciliation`, or for an operator's statement by `release_reservation` of the
/// operations, which also compares its times with that of the purchase. Here they are not compared: the clock may have been set back since.
fn check_absence(absence: &Absence) -> Result<(), PurchaseError> {
    let missing = if absence.last_lookup_at.since(absence.first_lookup_at) < LOOKUP_SPACING {
        "two look-ups far enough apart"
    } else if !absence.listing.is_explained() {
        "the listing unsold, withdrawn or sold to another buyer"
    } else if !absence.charge_excluded {
        "an unchanged balance"
    } else {
        return Ok(());
    };
    Err(PurchaseError::AbsenceNotProven { missing })
}

fn not_before(earliest: Timestamp, at: Timestamp) -> Result<(), PurchaseError> {
    if at < earliest { Err(PurchaseError::TooEarly { earliest }) } else { Ok(()) }
}
