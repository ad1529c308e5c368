//! The kinds of calls, by which faults are armed.

use super::{MarketplaceCall, PlatformCall, SessionCall, SocialCall};
use crate::fault::Call;

impl MarketplaceCall {
    /// The kind of a call that changes something, by which faults are armed; nothing for one that only reads.
    pub(crate) const fn kind(&self) -> Option<Call> {
        match self {
            Self::Buy { .. } => Some(Call::Buy),
            Self::List { .. } => Some(Call::List),
            Self::Reprice { .. } => Some(Call::Reprice),
            Self::Delist { .. } => Some(Call::Delist),
            Self::CommitSale { .. } => Some(Call::Commit),
            Self::AnnounceOffer { .. } => Some(Call::Announce),
            Self::Withdraw { .. } => Some(Call::Withdraw),
            Self::Listings { .. }
            | Self::Listing { .. }
            | Self::FindOrder { .. }
            | Self::WhoBought { .. }
            | Self::Order { .. }
            | Self::OwnListings { .. }
            | Self::Sales { .. }
            | Self::Balance
            | Self::FeeSchedule => None,
        }
    }
}

impl SocialCall {
    /// The kind of a call that changes something, by which faults are armed; nothing for one that only reads.
    pub(crate) const fn kind(&self) -> Option<Call> {
        match self {
            Self::Act { .. } => Some(Call::Befriend),
            Self::Say { .. } => Some(Call::Say),
            Self::MarkRead { .. } => Some(Call::MarkRead),
            Self::Friends | Self::Conversations | Self::Messages { .. } => None,
        }
    }
}

impl PlatformCall {
    /// The kind of a call that changes something, by which faults are armed; nothing for one that only reads.
    pub(crate) const fn kind(&self) -> Option<Call> {
        match self {
            Self::Accept { .. } => Some(Call::Accept),
            Self::Decline { .. } => Some(Call::Decline),
            Self::Cancel { .. } => Some(Call::Cancel),
            Self::Send { .. } => Some(Call::Send),
            Self::Answer { .. } => Some(Call::Answer),
            Self::RenewTradeToken => Some(Call::RenewToken),
            Self::Account
            | Self::HoldWith { .. }
            | Self::HoldOf { .. }
            | Self::TradeToken
            | Self::Inventory { .. }
            | Self::Offers { .. }
            | Self::Offer { .. }
            | Self::Confirmations
            | Self::Trade { .. }
            | Self::Trades { .. } => None,
        }
    }
}

impl SessionCall {
    /// The kind of the call, by which faults are armed. Each may change something: a poll issues tokens.
    pub(crate) const fn kind(&self) -> Call {
        match self {
            Self::Begin { .. } => Call::SignIn,
            Self::GiveCode { .. } => Call::GiveCode,
            Self::Poll { .. } => Call::Poll,
            Self::Renew { .. } => Call::Renew,
            Self::Revoke { .. } => Call::Revoke,
        }
    }
}
