//! The statuses of a trade offer, and the one table of its steps.

use crate::names::names;
use crate::trading::trade::{OfferStatus, TradeStatus};

/// The status of a trade offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TradeOfferStatus {
    /// About to be sent.
    Draft = 1,
    /// It may have been sent: the call ended without an answer.
    SendUncertain = 2,
    /// Sent; it waits for our mobile confirmation.
    NeedsConfirmation = 3,
    /// It waits for its recipient.
    Active = 4,
    /// Accepted; the trade is in progress.
    Accepted = 5,
    /// Final: answered with another offer.
    Countered = 6,
    /// Final: not accepted in time.
    Expired = 7,
    /// Final: cancelled by its sender, or never sent.
    Cancelled = 8,
    /// Final: declined by its recipient.
    Declined = 9,
    /// Final: its items are not where they were.
    InvalidItems = 10,
    /// Final: cancelled in the mobile confirmation.
    CancelledBySecondFactor = 11,
    /// Accepted; the platform holds the items.
    InEscrow = 12,
    /// Final: no offer at all.
    Invalid = 13,
    /// The items have moved, and the trade can be reversed.
    Completed = 14,
    /// Final: the trade was reversed after it was complete.
    Reverted = 15,
    /// Final: the trade failed, or was rolled back out of escrow.
    RolledBack = 16,
    /// Final: the trade can no longer be reversed.
    Final = 17,
    /// The platform reports a number that this version does not know.
    Unknown = 18,
}

names! { TradeOfferStatus, "status of a trade offer":
    Draft => "DRAFT",
    SendUncertain => "SEND_UNCERTAIN",
    NeedsConfirmation => "NEEDS_CONFIRMATION",
    Active => "ACTIVE",
    Accepted => "ACCEPTED",
    Countered => "COUNTERED",
    Expired => "EXPIRED",
    Cancelled => "CANCELLED",
    Declined => "DECLINED",
    InvalidItems => "INVALID_ITEMS",
    CancelledBySecondFactor => "CANCELLED_BY_SECOND_FACTOR",
    InEscrow => "IN_ESCROW",
    Invalid => "INVALID",
    Completed => "COMPLETED",
    Reverted => "REVERTED",
    RolledBack => "ROLLED_BACK",
    Final => "FINAL",
    Unknown => "UNKNOWN",
}

impl TradeOfferStatus {
    /// Whether nothing more comes of it.
    pub const fn is_terminal(self) -> bool {
        match self {
            Self::Draft
            | Self::SendUncertain
            | Self::NeedsConfirmation
            | Self::Active
            | Self::Accepted
            | Self::InEscrow
            | Self::Completed
            | Self::Unknown => false,
            Self::Countered
            | Self::Expired
            | Self::Cancelled
            | Self::Declined
            | Self::InvalidItems
            | Self::CancelledBySecondFactor
            | Self::Invalid
            | Self::Reverted
            | Self::RolledBack
            | Self::Final => true,
        }
    }

    /// Whether it has ended, and nothing was given by it.
    pub const fn gave_nothing(self) -> bool {
        match self {
            Self::Countered
            | Self::Expired
            | Self::Cancelled
            | Self::Declined
            | Self::InvalidItems
            | Self::CancelledBySecondFactor
            | Self::Invalid
            | Self::RolledBack => true,
            Self::Draft
            | Self::SendUncertain
            | Self::NeedsConfirmation
            | Self::Active
            | Self::Accepted
            | Self::InEscrow
            | Self::Completed
            | Self::Reverted
            | Self::Final
            | Self::Unknown => false,
        }
    }

    /// The name of the step that leads here, as the trigger of a transition.
    pub const fn step(self) -> &'static str {
        match self {
            Self::Draft => "drafted",
            Self::SendUncertain => "send_lost",
            Self::NeedsConfirmation => "sent",
            Self::Active => "opened",
            Self::Accepted => "accepted",
            Self::Countered => "countered",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::Declined => "declined",
            Self::InvalidItems => "items_gone",
            Self::CancelledBySecondFactor => "confirmation_denied",
            Self::InEscrow => "held",
            Self::Invalid => "invalidated",
            Self::Completed => "completed",
            Self::Reverted => "reverted",
            Self::RolledBack => "rolled_back",
            Self::Final => "protection_ended",
            Self::Unknown => "seen",
        }
    }

    /// The whole table: whether one step leads from here to there. What is seen late never takes a step back.
    pub const fn leads_to(self, to: Self) -> bool {
        match to {
            Self::Draft => false,
            Self::SendUncertain => matches!(self, Self::Draft),
            Self::Unknown => self.rank() < Self::Unknown.rank(),
            Self::NeedsConfirmation => self.rank() < Self::NeedsConfirmation.rank(),
            Self::Active => self.rank() < Self::Active.rank(),
            Self::Accepted
            | Self::Countered
            | Self::Expired
            | Self::Cancelled
            | Self::Declined
            | Self::InvalidItems
            | Self::CancelledBySecondFactor
            | Self::Invalid => self.rank() < Self::Accepted.rank(),
            Self::InEscrow => self.rank() < Self::InEscrow.rank(),
            Self::Completed | Self::RolledBack => self.rank() < Self::Completed.rank(),
            Self::Reverted => self.rank() <= Self::Completed.rank(),
            Self::Final => matches!(self, Self::Completed),
        }
    }

    /// How far an offer has come.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Draft => 0,
            Self::SendUncertain => 1,
            Self::Unknown => 2,
            Self::NeedsConfirmation => 3,
            Self::Active => 4,
            Self::Accepted => 5,
            Self::InEscrow => 6,
            Self::Completed => 7,
            Self::Countered
            | Self::Expired
            | Self::Cancelled
            | Self::Declined
            | Self::InvalidItems
            | Self::CancelledBySecondFactor
            | Self::Invalid
            | Self::Reverted
            | Self::RolledBack
            | Self::Final => 8,
        }
    }

    /// Returns the status for the platform's number of an offer; none where it does not decide it.
    pub const fn of_offer(shown: OfferStatus) -> Option<Self> {
        Some(match shown {
            OfferStatus::Invalid => Self::Invalid,
            OfferStatus::Active => Self::Active,
            OfferStatus::Accepted => Self::Accepted,
            OfferStatus::Countered => Self::Countered,
            OfferStatus::Expired => Self::Expired,
            OfferStatus::Cancelled => Self::Cancelled,
            OfferStatus::Declined => Self::Declined,
            OfferStatus::InvalidItems => Self::InvalidItems,
            OfferStatus::NeedsConfirmation => Self::NeedsConfirmation,
            OfferStatus::CancelledBySecondFactor => Self::CancelledBySecondFactor,
            OfferStatus::InEscrow => Self::InEscrow,
            OfferStatus::Unknown(_) => return None,
        })
    }

    /// Returns the status of an offer for the platform's number of its trade; none where it does not decide it. A complete trade counts
    /// once the new id of every item is known.
    pub const fn of_trade(status: TradeStatus, is_mapped: bool) -> Option<Self> {
        Some(match status {
            TradeStatus::Complete if is_mapped => Self::Completed,
            TradeStatus::Init | TradeStatus::PreCommitted | TradeStatus::Committed | TradeStatus::Complete => {
                Self::Accepted
            }
            TradeStatus::InEscrow => Self::InEscrow,
            TradeStatus::Failed | TradeStatus::EscrowRollback => Self::RolledBack,
            TradeStatus::PartialSupportRollback
            | TradeStatus::FullSupportRollback
            | TradeStatus::SelectiveSupportRollback
            | TradeStatus::ProtectionRollback => Self::Reverted,
            TradeStatus::RollbackFailed | TradeStatus::RollbackAbandoned | TradeStatus::Unknown(_) => return None,
        })
    }
}
