//! What kept a step of a pass from being taken. The record stays where it is, and the next pass looks at it again.

use tradepost_domain::id::PoolId;
use tradepost_domain::money::{Currency, MoneyError};
use tradepost_domain::text::ExternalId;
use tradepost_operations::{Code, OpError, Reason};
use tradepost_ports::exchange_rates::RateRefusal;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::PlatformRefusal;
use tradepost_ports::game_platform::sessions::SessionRefusal;
use tradepost_ports::game_platform::social::SocialRefusal;
use tradepost_ports::marketplace::{MarketplaceRefusal, OrderStatus};
use tradepost_ports::price_source::PriceRefusal;

/// Why a step was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// An operation rejected the step: another node was faster, or a limit or a halt applies.
    #[error("operation rejected: {0}")]
    Operation(#[from] OpError),
    /// A marketplace gave no answer that can be used.
    #[error("marketplace call failed: {0}")]
    Marketplace(#[from] ExternalError<MarketplaceRefusal>),
    /// The game platform gave none.
    #[error("platform call failed: {0}")]
    Platform(#[from] ExternalError<PlatformRefusal>),
    /// The game platform gave none about friends or chats.
    #[error("social call failed: {0}")]
    Social(#[from] ExternalError<SocialRefusal>),
    /// The game platform gave none about a session.
    #[error("session call failed: {0}")]
    Session(#[from] ExternalError<SessionRefusal>),
    /// The game platform rejects the account's session, and the marketplace reports no refund for the open purchases.
    #[error("the game platform rejects the account's session; the marketplace reports no refund")]
    AccountUnreadable,
    /// A source of prices gave none.
    #[error("price source failed: {0}")]
    Prices(#[from] ExternalError<PriceRefusal>),
    /// A source of exchange rates gave none.
    #[error("exchange-rate source failed: {0}")]
    Rates(#[from] ExternalError<RateRefusal>),
    /// No source reports a rate for a currency, or the last one is too old to trade by.
    #[error("no exchange rate for {0} newer than 1 h")]
    NoExchangeRate(Currency),
    /// The record names a marketplace or a trading account that the desk does not have.
    #[error("unknown {what} {name}: not configured on this desk")]
    NotOnDesk {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// No trading account of the desk is ready to buy; `GetAccountReadiness` returns why.
    #[error("no trading account is ready to buy (see GetAccountReadiness)")]
    NoReadyAccount,
    /// No account that is assigned to a pool is ready; `ResolveAssignment` returns why.
    #[error("no account assigned to pool {0} is ready (see ResolveAssignment)")]
    NoAssignedAccount(PoolId),
    /// The process was suspended for too long after it had recorded that a purchase, a listing or an offer is submitted, and did not
    /// submit it: another node may have proven its absence by then. It is looked up like one whose answer was lost.
    #[error("not submitted in time after it was recorded; outcome treated as unknown")]
    SubmitTooLate,
    /// The marketplace does not show yet whether a purchase was made, or who bought its listing. The purchase stays uncertain.
    #[error("the marketplace does not report yet whether the purchase was made")]
    NotShown,
    /// A deal is in a state that the adapter of its marketplace does not know. The deal stays as it was.
    #[error("deal {deal} is in state {number}, which the marketplace adapter does not know")]
    UnknownState {
        /// The marketplace's id of the order or the sale.
        deal: String,
        /// Its number of the state.
        number: u32,
    },
    /// An offer does not give what was bought; it was declined.
    #[error("trade offer {0} does not contain the purchased item; declined")]
    OfferMismatch(String),
    /// A price of an external system is not a valid amount.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl EngineError {
    /// Returns the same error for an account whose marketplace reports no refund: what only the platform shows then leaves no money unbooked.
    pub(crate) fn if_no_money_received(self) -> Self {
        if matches!(self, Self::Platform(ExternalError::AuthLost { .. })) { Self::AccountUnreadable } else { self }
    }

    /// Whether something may have been seen outside and not booked. A refusal says that nothing was done.
    pub(crate) fn may_be_unbooked(&self) -> bool {
        match self {
            Self::Operation(refusal) => refusal.is_conflict() || refusal.code == Code::Internal,
            Self::Marketplace(error) => !matches!(error, ExternalError::Rejected(_)),
            Self::Platform(error) => !matches!(error, ExternalError::Rejected(_)),
            Self::SubmitTooLate | Self::NotShown | Self::UnknownState { .. } => true,
            // Nothing about friends, chats or sessions moves money.
            Self::Social(_)
            | Self::Session(_)
            | Self::AccountUnreadable
            | Self::Prices(_)
            | Self::Rates(_)
            | Self::NoExchangeRate(_)
            | Self::NotOnDesk { .. }
            | Self::NoReadyAccount
            | Self::NoAssignedAccount(_)
            | Self::OfferMismatch(_)
            | Self::Money(_) => false,
        }
    }
}

impl EngineError {
    /// Returns whether the driver of the platform does not make the call, for any account or for this one. Nothing was sent.
    pub(crate) const fn is_not_done(&self) -> bool {
        matches!(self, Self::Platform(ExternalError::Rejected(PlatformRefusal::NotDone(_))))
    }

    /// Returns whether a limit of the contract rejects a purchase: a decision, not a failure.
    pub(crate) fn is_limit_of_contract(&self) -> bool {
        matches!(self, Self::Operation(refusal) if refusal.is_limit_of_contract())
    }

    /// Returns whether the pool's exposure to one item rejects a purchase, so that other items can still be bought.
    pub(crate) fn is_limit_of_one_item(&self) -> bool {
        self.has_reason(Reason::PoolItemExposure)
    }

    /// Returns whether a recorded purchase is not to be submitted: buying was halted, its marketplace or its contract was stopped, or it costs
    /// more than it may. A record that has changed in the meantime decides nothing.
    pub(crate) fn keeps_from_submitting(&self) -> bool {
        [Reason::TradingHalted, Reason::ProviderDisabled, Reason::ContractNotActive, Reason::TooExpensive]
            .into_iter()
            .any(|reason| self.has_reason(reason))
    }

    /// Returns whether other processes kept changing the same record, so that nothing was written.
    pub(crate) fn is_conflict(&self) -> bool {
        matches!(self, Self::Operation(refusal) if refusal.is_conflict())
    }

    /// Returns whether another node has taken a lease of this one.
    pub(crate) fn is_lease_lost(&self) -> bool {
        self.has_reason(Reason::LeaseLost)
    }

    /// Returns whether an account gives nothing more for now: its limits are used up, or the value of what it is to give is not known.
    pub(crate) fn is_giving_limit(&self) -> bool {
        self.has_reason(Reason::GivingLimitReached)
    }

    /// Returns whether an approved intent has expired.
    pub(crate) fn is_intent_expired(&self) -> bool {
        self.has_reason(Reason::IntentExpired)
    }

    fn has_reason(&self, reason: Reason) -> bool {
        matches!(self, Self::Operation(refusal) if refusal.reason == reason)
    }

    /// Returns the label under which the failed step is counted.
    pub(crate) const fn cause(&self) -> &'static str {
        match self {
            Self::Operation(_) => "operation",
            Self::Marketplace(_) => "marketplace",
            Self::Platform(_) | Self::Social(_) | Self::Session(_) => "platform",
            Self::Prices(_) => "price_source",
            Self::Rates(_) | Self::NoExchangeRate(_) => "exchange_rates",
            Self::NotOnDesk { .. } => "configuration",
            Self::AccountUnreadable | Self::NoReadyAccount | Self::NoAssignedAccount(_) => "account",
            Self::SubmitTooLate | Self::NotShown | Self::UnknownState { .. } => "uncertain",
            Self::OfferMismatch(_) | Self::Money(_) => "offer",
        }
    }

    /// Returns whether an external system did not answer, so that the next call would not be answered either.
    pub(crate) fn is_external(&self) -> bool {
        match self {
            Self::Marketplace(_)
            | Self::Platform(_)
            | Self::Social(_)
            | Self::Session(_)
            | Self::AccountUnreadable
            | Self::Prices(_)
            | Self::Rates(_)
            | Self::SubmitTooLate
            | Self::NotShown => true,
            Self::Operation(refusal) => refusal.code == Code::Internal,
            Self::NotOnDesk { .. }
            | Self::UnknownState { .. }
            | Self::OfferMismatch(_)
            | Self::NoReadyAccount
            | Self::NoAssignedAccount(_)
            | Self::NoExchangeRate(_)
            | Self::Money(_) => false,
        }
    }
}

/// Returns whether a rejection would be repeated in the next pass.
pub(crate) fn is_permanent(refusal: &OpError) -> bool {
    refusal.code == Code::FailedPrecondition && !refusal.is_conflict()
}

/// Returns whether a record has changed since it was read.
pub(crate) fn is_version_mismatch(refusal: &OpError) -> bool {
    refusal.reason == Reason::VersionMismatch
}

/// Returns whether a contract has as many items on sale as it may have.
pub(crate) fn is_listing_limit(refusal: &OpError) -> bool {
    refusal.reason == Reason::TooManyListed
}

/// Says so where the state of a deal is not known.
pub(crate) fn known_deal(id: &ExternalId, status: OrderStatus) -> EngineResult {
    let OrderStatus::Other(number) = status else { return Ok(()) };
    Err(EngineError::UnknownState { deal: id.to_string(), number })
}

/// What a step came to.
pub(crate) type EngineResult<T = ()> = Result<T, EngineError>;
