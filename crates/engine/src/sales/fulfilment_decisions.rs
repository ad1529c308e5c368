//! Decides how a sold item gets to its buyer: by the offers that give it, and by the trade that came of one. Values in, values out.

use std::cmp::Reverse;

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::inventory_item::{AssetEvidence, InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::id::TradeOfferId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeAddress, TradeStatus};
use tradepost_ports::game_platform::{MovedAsset, Offer, Trade};
use tradepost_ports::marketplace::{Announcement, OrderStatus};

use crate::desk::currency::OurSale;
use crate::sales::reported_sales::is_cancelled;

/// An offer to the buyer with its record, and the trade that came of it.
#[derive(Debug, Clone)]
pub(crate) struct BuyerOffer {
    offer: Offer,
    id: TradeOfferId,
    trade: Option<Trade>,
}

impl BuyerOffer {
    pub(crate) const fn new(offer: Offer, id: TradeOfferId, trade: Option<Trade>) -> Self {
        Self { offer, id, trade }
    }
}

/// State of the delivery to one buyer, as the platform shows it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FulfilmentState {
    /// There is none, or each has ended without a trade.
    NoOffer,
    /// These are out, those that wait for the buyer before those that wait for their confirmation. One is all that is meant to be;
    /// a call without an answer can make another, and so can a person.
    Pending(Vec<(Offer, TradeOfferId)>),
    /// The trade was begun.
    Traded(Trade),
}

/// Next step of a delivery.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FulfilmentStep {
    /// Apply what the trade did to the item.
    ApplyTrade(Trade),
    /// Cancel these offers: the buyer has been refunded and could still accept. The next pass reads whether the cancellation or the buyer was
    /// first.
    Cancel(Vec<(Offer, TradeOfferId)>),
    /// Have one of these offers confirmed.
    Confirm(Vec<(Offer, TradeOfferId)>),
    /// Send an offer, or release the item.
    Send,
    Wait,
}

/// Returns the offers that give an item to the buyer of a sale, the latest first.
pub(crate) fn offers_to_buyer<'o>(item: &InventoryItem, sale: &OurSale, shown: &'o [Offer]) -> Vec<&'o Offer> {
    let asset_id = item.current_asset_id();
    let gives_it = |offer: &&Offer| {
        offer.is_ours
            // The marketplace may no longer name the buyer of a sale that ended.
            && sale.deliver_to.as_ref().map_or(is_cancelled(sale), |to| to.user == offer.partner)
            && matches!(offer.give.as_slice(), [given] if given.asset_id == *asset_id)
    };
    let mut offers: Vec<&Offer> = shown.iter().filter(gives_it).collect();
    offers.sort_by_key(|offer| Reverse(offer.created_at));
    offers
}

impl FulfilmentState {
    /// Of several offers the one that came to a trade counts.
    pub(crate) fn of(item: &InventoryItem, offers: Vec<BuyerOffer>) -> Self {
        let (mut traded, mut failed, mut out) = (None, None, Vec::new());
        for BuyerOffer { offer, id, trade } in offers {
            match trade {
                Some(trade) if failed_in_place(&trade, item.current_asset_id()) => failed = failed.or(Some(trade)),
                Some(trade) => traded = traded.or(Some(trade)),
                None if is_pending(&offer) => out.push((offer, id)),
                None => {}
            }
        }
        // A held item has left the inventory whatever the trade's status is, so even a failed trade is applied.
        if let Some(trade) = traded.or_else(|| failed.filter(|_| item.status == ItemStatus::Held)) {
            return Self::Traded(trade);
        }
        out.sort_by_key(|(offer, _)| needs_our_confirmation(offer));
        if out.is_empty() { Self::NoOffer } else { Self::Pending(out) }
    }

    /// Only for an item that is being delivered something is sent or confirmed. A missing one may be with the buyer already.
    pub(crate) fn step(self, status: ItemStatus, sale: &OurSale) -> FulfilmentStep {
        let is_delivering = status == ItemStatus::Delivering;
        match self {
            Self::Traded(trade) => FulfilmentStep::ApplyTrade(trade),
            Self::Pending(offers) if is_cancelled(sale) && status != ItemStatus::Held => FulfilmentStep::Cancel(offers),
            Self::Pending(offers) if is_delivering => FulfilmentStep::Confirm(offers),
            Self::NoOffer if is_delivering => FulfilmentStep::Send,
            Self::Pending(_) | Self::NoOffer => FulfilmentStep::Wait,
        }
    }
}

/// Next step of an item that no offer gives to its buyer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SendStep {
    /// An offer may be in flight, or the marketplace does not report the buyer.
    Wait,
    /// Release the item: its sale is cancelled.
    Release,
    Send(TradeAddress),
}

impl SendStep {
    pub(crate) fn of(sale: &OurSale, may_be_in_flight: bool) -> Self {
        match &sale.deliver_to {
            _ if may_be_in_flight => Self::Wait,
            _ if is_cancelled(sale) => Self::Release,
            Some(to) => Self::Send(to.clone()),
            None => Self::Wait,
        }
    }
}

/// Next step of the offers that are out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PendingStep<'o> {
    /// Announce this offer and have it confirmed.
    Confirm(&'o Offer, TradeOfferId),
    /// Cancel those that wait for a confirmation, since this one is with the buyer, and announce it.
    Keep {
        offer: &'o Offer,
        spare: Vec<&'o Offer>,
    },
    Nothing,
}

impl<'o> PendingStep<'o> {
    pub(crate) fn of(offers: &'o [(Offer, TradeOfferId)]) -> Self {
        let [(offer, id), others @ ..] = offers else { return Self::Nothing };
        if needs_our_confirmation(offer) {
            return Self::Confirm(offer, *id);
        }
        let spare = others.iter().map(|(offer, _)| offer).filter(|offer| needs_our_confirmation(offer));
        Self::Keep { offer, spare: spare.collect() }
    }
}

/// Returns whether the marketplace has to learn of an offer now.
pub(crate) fn is_announcement_due(announcement: Announcement, sale: &OurSale, offer: &Offer) -> bool {
    let is_out_unknown = offer.status == OfferStatus::Active && sale.status == OrderStatus::AwaitingSeller;
    match announcement {
        Announcement::Never => false,
        Announcement::BeforeConfirming => needs_our_confirmation(offer) || is_out_unknown,
        Announcement::AfterConfirming => is_out_unknown,
    }
}

/// Returns how long the rejection of announcements has to last until it is reported: a marketplace may learn late of an offer that is out.
pub(crate) const fn rejection_lasting(announcement: Announcement, grace: Duration) -> Duration {
    match announcement {
        Announcement::AfterConfirming => grace,
        Announcement::BeforeConfirming | Announcement::Never => Duration::ZERO,
    }
}

/// What a trade with the buyer does to the item.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BuyerTradeStep {
    Apply(ItemEvent),
    /// The held item is ours again. Our records no longer list it, but its buyer may still be waiting.
    RollBack(ItemEvent),
    /// The item is ours again under this id, and is sent again while the sale is active.
    Relink(AssetId),
    Wait,
}

impl BuyerTradeStep {
    pub(crate) fn of(item: &InventoryItem, trade: &Trade) -> Self {
        let asset_id = item.current_asset_id();
        let Some(moved) = trade.given.iter().find(|moved| moved.asset_id == *asset_id) else { return Self::Wait };
        match trade.status {
            TradeStatus::Complete
            | TradeStatus::ProtectionRollback
            | TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback => match &moved.moved_to {
                Some((_, given)) => {
                    Self::Apply(ItemEvent::Given { trade_id: trade.id.clone(), asset_id: given.clone() })
                }
                None => Self::Wait,
            },
            TradeStatus::InEscrow if item.status == ItemStatus::Delivering => Self::Apply(ItemEvent::DeliveryHeld),
            TradeStatus::Failed | TradeStatus::EscrowRollback => Self::of_return(item, trade, moved),
            // The item should be back and is not in any inventory; the inventory audit will report it.
            TradeStatus::RollbackFailed | TradeStatus::RollbackAbandoned if item.status == ItemStatus::Held => {
                Self::of_return(item, trade, moved)
            }
            TradeStatus::InEscrow
            | TradeStatus::Init
            | TradeStatus::PreCommitted
            | TradeStatus::Committed
            | TradeStatus::RollbackFailed
            | TradeStatus::RollbackAbandoned
            | TradeStatus::Unknown(_) => Self::Wait,
        }
    }

    /// A failed trade: the item is ours again, usually under a new asset id.
    fn of_return(item: &InventoryItem, trade: &Trade, moved: &MovedAsset) -> Self {
        let asset_id = moved.returned_as.clone().unwrap_or_else(|| moved.asset_id.clone());
        if item.status == ItemStatus::Held {
            let seen = AssetEvidence { asset_id, source_id: trade.id.clone() };
            Self::RollBack(ItemEvent::HoldRolledBack { seen })
        } else {
            Self::Relink(asset_id)
        }
    }
}

/// Returns the time from which offers to the buyer may have changed.
pub(crate) fn search_from(item: &InventoryItem, sale: &OurSale, backdating: Duration) -> Timestamp {
    sale.updated_at.min(item.updated_at).plus(-backdating)
}

/// Whether an offer waits for our confirmation.
fn needs_our_confirmation(offer: &Offer) -> bool {
    offer.status == OfferStatus::NeedsConfirmation
}

/// Returns whether an offer can still be accepted, or was accepted and its trade is not visible yet.
const fn is_pending(offer: &Offer) -> bool {
    match offer.status {
        OfferStatus::NeedsConfirmation
        | OfferStatus::Active
        | OfferStatus::Accepted
        | OfferStatus::InEscrow
        | OfferStatus::Unknown(_) => true,
        OfferStatus::Invalid
        | OfferStatus::Countered
        | OfferStatus::Expired
        | OfferStatus::Cancelled
        | OfferStatus::Declined
        | OfferStatus::InvalidItems
        | OfferStatus::CancelledBySecondFactor => false,
    }
}

/// Returns whether a trade failed and the item kept its asset id, so that it can be offered again unchanged.
fn failed_in_place(trade: &Trade, asset_id: &AssetId) -> bool {
    let is_as_it_was = |moved: &MovedAsset| {
        moved.asset_id == *asset_id && moved.returned_as.as_ref().is_none_or(|returned_as| returned_as == asset_id)
    };
    matches!(trade.status, TradeStatus::Failed | TradeStatus::EscrowRollback) && trade.given.iter().any(is_as_it_was)
}

#[cfg(test)]
mod tests;
