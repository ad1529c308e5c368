//! The steps of a purchase or an item that decide the outcome of its trade offer.

use super::TradeOffer;
use crate::asset::{AssetId, ContextId};
use crate::contracts::inventory_item::ItemEvent;
use crate::contracts::purchase::{FailureCode, PurchaseEvent};
use crate::text::ExternalId;
use crate::time::Timestamp;

/// What a step of the purchase or item says of its offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnerChange {
    /// The platform holds the items.
    Held {
        /// The trade, where the step names it.
        trade_id: Option<ExternalId>,
        /// When the escrow ends.
        held_until: Option<Timestamp>,
    },
    /// The item has moved.
    Completed {
        /// The trade.
        trade_id: ExternalId,
        /// The id that the trade gave the item.
        asset_id: AssetId,
        /// The context of that, where it is known.
        context_id: Option<ContextId>,
        /// Until when the trade can be reversed, where it is known.
        protected_until: Option<Timestamp>,
    },
    /// The trade was reversed after it was complete.
    Reverted {
        /// The trade that took it back.
        rollback_trade_id: ExternalId,
    },
    /// The trade was rolled back out of escrow.
    RolledBack,
    /// The trade can no longer be reversed.
    ProtectionEnded,
    /// The items are no longer to be delivered: an unsent offer is never sent.
    Withdrawn,
}

impl OwnerChange {
    /// Whether the step can be about this offer: about no other than the one of its trade, where both are known.
    pub fn concerns(&self, offer: &TradeOffer) -> bool {
        let trade = offer.trade.as_ref().map(|trade| &trade.id);
        let is_others = trade.zip(self.trade_id()).is_some_and(|(known, told)| known != told);
        !is_others && matches!(self, Self::Withdrawn) == offer.is_unsent()
    }

    /// How near an offer is to being the one that the step is about, the nearest highest: that of its trade, the one that the owner
    /// names, the one that has come furthest, the latest.
    pub fn nearness(&self, offer: &TradeOffer, named: Option<&ExternalId>) -> (bool, bool, u8, Timestamp) {
        let trade = offer.trade.as_ref().map(|trade| &trade.id);
        let is_named = named.is_some() && offer.offer_id.as_ref() == named;
        (trade.is_some() && trade == self.trade_id(), is_named, offer.status.rank(), offer.created_at)
    }

    const fn trade_id(&self) -> Option<&ExternalId> {
        match self {
            Self::Held { trade_id, .. } => trade_id.as_ref(),
            Self::Completed { trade_id, .. } => Some(trade_id),
            Self::Reverted { .. } | Self::RolledBack | Self::ProtectionEnded | Self::Withdrawn => None,
        }
    }

    /// Returns the change by a step of a purchase. The receipt of its item is reported with the item, by [`OwnerChange::Completed`].
    pub fn of_purchase(event: &PurchaseEvent) -> Option<Self> {
        match event {
            PurchaseEvent::TradeHeld { trade_id, held_until } => {
                Some(Self::Held { trade_id: Some(trade_id.clone()), held_until: Some(*held_until) })
            }
            PurchaseEvent::HoldRolledBack | PurchaseEvent::DeliveryFailed(FailureCode::EscrowRolledBack) => {
                Some(Self::RolledBack)
            }
            PurchaseEvent::TradeReversed { rollback_trade_id } => {
                Some(Self::Reverted { rollback_trade_id: rollback_trade_id.clone() })
            }
            PurchaseEvent::ProtectionEnded => Some(Self::ProtectionEnded),
            PurchaseEvent::Submitted { .. }
            | PurchaseEvent::Cancelled(_)
            | PurchaseEvent::Accepted(_)
            | PurchaseEvent::Refused(_)
            | PurchaseEvent::OutcomeLost
            | PurchaseEvent::OrderFound(_)
            | PurchaseEvent::OrderAbsent(_)
            | PurchaseEvent::OfferSeen { .. }
            | PurchaseEvent::OfferLost
            | PurchaseEvent::DeliveryFailed(_)
            | PurchaseEvent::ItemReceived { .. }
            | PurchaseEvent::RefundBooked { .. }
            | PurchaseEvent::RefundAdded { .. }
            | PurchaseEvent::WrittenOff => None,
        }
    }

    /// What a step of an item says of the offer that gives it to its buyer.
    pub fn of_item(event: &ItemEvent) -> Option<Self> {
        match event {
            ItemEvent::DeliveryHeld => Some(Self::Held { trade_id: None, held_until: None }),
            ItemEvent::HoldRolledBack { .. } => Some(Self::RolledBack),
            ItemEvent::Given { trade_id, asset_id } => Some(Self::Completed {
                trade_id: trade_id.clone(),
                asset_id: asset_id.clone(),
                context_id: None,
                protected_until: None,
            }),
            ItemEvent::SaleReversed { rollback_trade_id, .. } => {
                Some(Self::Reverted { rollback_trade_id: rollback_trade_id.clone() })
            }
            ItemEvent::ProceedsBooked { .. } => Some(Self::ProtectionEnded),
            ItemEvent::SaleFellThrough { .. } | ItemEvent::GivenUp => Some(Self::Withdrawn),
            ItemEvent::ListingStarted { .. }
            | ItemEvent::ListingAccepted { .. }
            | ItemEvent::ListingRefused
            | ItemEvent::Repriced { .. }
            | ItemEvent::ListingEnded { .. }
            | ItemEvent::SaleNoticed { .. }
            | ItemEvent::DeliveryStarted { .. }
            | ItemEvent::Transferred { .. }
            | ItemEvent::WentMissing { .. }
            | ItemEvent::Found { .. }
            | ItemEvent::PurchaseReversed { .. } => None,
        }
    }
}
