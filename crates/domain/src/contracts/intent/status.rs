//! The purposes of intents and their statuses.

use crate::contracts::inventory_item::ItemStatus;
use crate::names::names;

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntentKind {
    /// Buy a listing.
    Buy = 1,
    /// Put an item on sale.
    List = 2,
    /// Ask another price for an item on sale.
    Reprice = 3,
    /// Take an item off sale.
    Delist = 4,
    /// Give a sold item to its buyer.
    Deliver = 5,
    /// Accept a trade offer.
    AcceptOffer = 6,
    /// Move an item to another of our accounts.
    Transfer = 7,
}

names! { IntentKind, "intent kind":
    Buy => "BUY",
    List => "LIST",
    Reprice => "REPRICE",
    Delist => "DELIST",
    Deliver => "DELIVER",
    AcceptOffer => "ACCEPT_OFFER",
    Transfer => "TRANSFER",
}

impl IntentKind {
    /// Returns the status that an item must have for this intent; `None` for an intent without an item.
    pub const fn item_status(self) -> Option<ItemStatus> {
        match self {
            Self::List | Self::Transfer => Some(ItemStatus::InInventory),
            Self::Reprice | Self::Delist => Some(ItemStatus::Listed),
            Self::Deliver => Some(ItemStatus::Reserved),
            Self::Buy | Self::AcceptOffer => None,
        }
    }

    /// What is done with an item, in the words of a refusal.
    pub const fn done(self) -> &'static str {
        match self {
            Self::Buy => "bought",
            Self::List => "listed",
            Self::Reprice => "repriced",
            Self::Delist => "delisted",
            Self::Deliver => "delivered",
            Self::AcceptOffer => "accepted",
            Self::Transfer => "transferred",
        }
    }

    /// Whether it sells or transfers an item; an item has one live intent of these at a time.
    pub const fn claims_item(self) -> bool {
        matches!(self, Self::List | Self::Reprice | Self::Delist | Self::Deliver | Self::Transfer)
    }
}

/// The status of an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntentStatus {
    /// Waits for a decision.
    Proposed = 1,
    /// Waits for its execution.
    Approved = 2,
    /// Being carried out.
    Executing = 3,
    /// Final: it was carried out.
    Succeeded = 4,
    /// Final: it could not be carried out.
    Failed = 5,
    /// Final: a check refused it.
    Denied = 6,
    /// Final: a person refused it.
    Rejected = 7,
    /// Final: it was not decided or executed in time.
    Expired = 8,
    /// Final: withdrawn before anything was done.
    Cancelled = 9,
}

names! { IntentStatus, "intent status":
    Proposed => "PROPOSED",
    Approved => "APPROVED",
    Executing => "EXECUTING",
    Succeeded => "SUCCEEDED",
    Failed => "FAILED",
    Denied => "DENIED",
    Rejected => "REJECTED",
    Expired => "EXPIRED",
    Cancelled => "CANCELLED",
}

impl IntentStatus {
    /// Whether the intent has ended and never changes again.
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Proposed | Self::Approved | Self::Executing)
    }

    /// Whether nothing was done for it yet, so that it can be withdrawn.
    pub const fn is_waiting(self) -> bool {
        matches!(self, Self::Proposed | Self::Approved)
    }
}
