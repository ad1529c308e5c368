//! The kinds of problems with their severity, status and possible actions.

use crate::names::names;
use crate::transition::SubjectKind;

/// What the problem is. Numbers that are left out are kept for problems of records that come later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemediationKind {
    /// It is unknown whether a purchase was made.
    OutcomeUnknown = 1,
    /// A purchase was paid and is not delivered.
    PaidNotDelivered = 2,
    /// An item arrived after its purchase had ended otherwise.
    LateDelivery = 3,
    /// The marketplace charged more than the purchase may cost.
    Overpaid = 4,
    /// A contract seems to have bought the same thing twice.
    DuplicateSuspect = 5,
    /// An inventory has an item that nothing explains and that no record names.
    OrphanItem = 6,
    /// An item is not where it should be.
    MissingItem = 7,
    /// The same evidence gives an item two asset ids.
    AssetIdMismatch = 8,
    /// The asset-id chain of an item breaks a rule.
    ChainInvalid = 9,
    /// The trade that brought an item was reversed.
    TradeReversed = 10,
    /// The mobile confirmation of an offer of ours does not appear.
    ConfirmationStuck = 11,
    /// A confirmation waits for a trading account that is not of this installation's own doing.
    UnexpectedConfirmation = 12,
    /// The platform no longer accepts a trading account, or has banned it.
    SessionFailed = 13,
    /// A marketplace reports another balance than the ledger.
    BalanceMismatch = 14,
    /// The marketplace charged another fee than expected.
    FeeMismatch = 15,
    /// The prices that a contract uses are out of date.
    PriceSourceStale = 16,
    /// A marketplace, a price source or a game platform does not answer, or refuses this server.
    ProviderDown = 17,
    /// A contract was stopped by a limit on losses or failures.
    BreakerOpen = 18,
    /// An item is not on sale as it should be.
    ListingMismatch = 19,
    /// The platform shows another item than the listing did.
    TraitsDiffer = 20,
    /// No running engine serves any marketplace of an active contract.
    NotServed = 21,
    /// A trade offer gives our items, and this installation did not send it.
    StrangeOffer = 24,
    /// No one has accepted the platform's notice for a trading account that could trade.
    AcknowledgeTrades = 25,
    /// The token by which a trading account stays signed in ends soon.
    TokenExpiring = 26,
    /// A trading account has given as much as it may, and something waits for it.
    GivingLimitReached = 27,
}

names! { RemediationKind, "remediation kind":
    OutcomeUnknown => "OUTCOME_UNKNOWN",
    PaidNotDelivered => "PAID_NOT_DELIVERED",
    LateDelivery => "LATE_DELIVERY",
    Overpaid => "OVERPAID",
    DuplicateSuspect => "DUPLICATE_SUSPECT",
    OrphanItem => "ORPHAN_ITEM",
    MissingItem => "MISSING_ITEM",
    AssetIdMismatch => "ASSET_ID_MISMATCH",
    ChainInvalid => "CHAIN_INVALID",
    TradeReversed => "TRADE_REVERSED",
    ConfirmationStuck => "CONFIRMATION_STUCK",
    UnexpectedConfirmation => "UNEXPECTED_CONFIRMATION",
    SessionFailed => "SESSION_FAILED",
    BalanceMismatch => "BALANCE_MISMATCH",
    FeeMismatch => "FEE_MISMATCH",
    PriceSourceStale => "PRICE_SOURCE_STALE",
    ProviderDown => "PROVIDER_DOWN",
    BreakerOpen => "BREAKER_OPEN",
    ListingMismatch => "LISTING_MISMATCH",
    TraitsDiffer => "TRAITS_DIFFER",
    NotServed => "NOT_SERVED",
    StrangeOffer => "STRANGE_OFFER",
    AcknowledgeTrades => "ACKNOWLEDGE_TRADES",
    TokenExpiring => "TOKEN_EXPIRING",
    GivingLimitReached => "GIVING_LIMIT_REACHED",
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing: nothing is lost by waiting.
    Info = 1,
    /// Money or an item may be lost without action.
    Warning = 2,
    /// Money or an item is at stake now.
    Critical = 3,
}

names! { Severity, "severity":
    Info => "INFO",
    Warning => "WARNING",
    Critical => "CRITICAL",
}

/// The status of a remediation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemediationStatus {
    /// Opened; the service checks it.
    Open = 1,
    /// The service handles it.
    Working = 2,
    /// Waits for time to pass, or for an external system.
    Waiting = 3,
    /// Waits for a person.
    NeedsOperator = 4,
    /// Final: the problem is resolved.
    Resolved = 5,
    /// Final: a person decided that nothing more is to be done.
    Dismissed = 6,
}

names! { RemediationStatus, "remediation status":
    Open => "OPEN",
    Working => "WORKING",
    Waiting => "WAITING",
    NeedsOperator => "NEEDS_OPERATOR",
    Resolved => "RESOLVED",
    Dismissed => "DISMISSED",
}

impl RemediationStatus {
    /// Whether it has ended and never changes again.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Resolved | Self::Dismissed)
    }
}

/// What a person can have done about a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemediationAction {
    /// Reconcile the purchase with its marketplace.
    Reconcile = 1,
    /// Add a link to the item's chain.
    AppendLink = 4,
    /// Set the money free that is reserved for a purchase which was never made.
    ReleaseReservation = 5,
    /// Book money that came back.
    RecordRefund = 6,
    /// Give the money or the item up.
    WriteOff = 7,
    /// Put the item on sale again.
    Relist = 8,
}

names! { RemediationAction, "remediation action":
    Reconcile => "RECONCILE",
    AppendLink => "APPEND_LINK",
    ReleaseReservation => "RELEASE_RESERVATION",
    RecordRefund => "RECORD_REFUND",
    WriteOff => "WRITE_OFF",
    Relist => "RELIST",
}

impl RemediationAction {
    /// Whether money moves by it, or is set free.
    pub const fn moves_money(self) -> bool {
        match self {
            Self::ReleaseReservation | Self::RecordRefund | Self::WriteOff => true,
            Self::Reconcile | Self::AppendLink | Self::Relist => false,
        }
    }

    /// Whether the action resolves the problem at once. Otherwise its outcome is awaited.
    pub const fn settles(self) -> bool {
        match self {
            Self::AppendLink | Self::ReleaseReservation | Self::RecordRefund | Self::WriteOff => true,
            Self::Reconcile | Self::Relist => false,
        }
    }
}

impl RemediationKind {
    /// The kind of record that has this problem.
    pub const fn about(self) -> SubjectKind {
        match self {
            Self::OutcomeUnknown
            | Self::PaidNotDelivered
            | Self::LateDelivery
            | Self::Overpaid
            | Self::TradeReversed
            | Self::FeeMismatch => SubjectKind::Purchase,
            Self::MissingItem
            | Self::AssetIdMismatch
            | Self::ChainInvalid
            | Self::ListingMismatch
            | Self::TraitsDiffer => SubjectKind::InventoryItem,
            Self::DuplicateSuspect | Self::PriceSourceStale | Self::BreakerOpen | Self::NotServed => {
                SubjectKind::Contract
            }
            Self::ConfirmationStuck | Self::StrangeOffer => SubjectKind::TradeOffer,
            Self::OrphanItem => SubjectKind::InventoryChange,
            Self::UnexpectedConfirmation => SubjectKind::Confirmation,
            Self::SessionFailed | Self::AcknowledgeTrades | Self::TokenExpiring | Self::GivingLimitReached => {
                SubjectKind::Account
            }
            Self::BalanceMismatch | Self::ProviderDown => SubjectKind::Provider,
        }
    }

    /// How bad it is.
    pub const fn severity(self) -> Severity {
        match self {
            Self::OutcomeUnknown
            | Self::PaidNotDelivered
            | Self::LateDelivery
            | Self::DuplicateSuspect
            | Self::MissingItem
            | Self::TradeReversed
            | Self::BalanceMismatch
            | Self::StrangeOffer
            | Self::UnexpectedConfirmation => Severity::Critical,
            Self::Overpaid
            | Self::OrphanItem
            | Self::AssetIdMismatch
            | Self::ChainInvalid
            | Self::ConfirmationStuck
            | Self::SessionFailed
            | Self::PriceSourceStale
            | Self::ProviderDown
            | Self::BreakerOpen
            | Self::ListingMismatch
            | Self::TraitsDiffer
            | Self::NotServed
            | Self::AcknowledgeTrades
            | Self::TokenExpiring
            | Self::GivingLimitReached => Severity::Warning,
            Self::FeeMismatch => Severity::Info,
        }
    }

    /// Where a remediation begins: with the service where it goes on looking by itself, with time where money is owed, and
    /// else with a person.
    pub const fn first_status(self) -> RemediationStatus {
        match self {
            Self::OutcomeUnknown
            | Self::MissingItem
            | Self::ConfirmationStuck
            | Self::PriceSourceStale
            | Self::ProviderDown => RemediationStatus::Open,
            Self::PaidNotDelivered | Self::TradeReversed => RemediationStatus::Waiting,
            Self::LateDelivery
            | Self::Overpaid
            | Self::DuplicateSuspect
            | Self::OrphanItem
            | Self::AssetIdMismatch
            | Self::ChainInvalid
            | Self::SessionFailed
            | Self::BalanceMismatch
            | Self::FeeMismatch
            | Self::BreakerOpen
            | Self::ListingMismatch
            | Self::TraitsDiffer
            | Self::NotServed
            | Self::StrangeOffer
            | Self::UnexpectedConfirmation
            | Self::AcknowledgeTrades
            | Self::TokenExpiring
            | Self::GivingLimitReached => RemediationStatus::NeedsOperator,
        }
    }

    /// What can be done about it. Where there is nothing, what can be done is done elsewhere, and the remediation dismissed.
    pub const fn actions(self) -> &'static [RemediationAction] {
        use RemediationAction as Do;
        match self {
            Self::OutcomeUnknown => &[Do::Reconcile, Do::ReleaseReservation],
            Self::PaidNotDelivered | Self::TradeReversed => &[Do::Reconcile, Do::RecordRefund, Do::WriteOff],
            Self::MissingItem => &[Do::AppendLink, Do::WriteOff],
            Self::AssetIdMismatch | Self::ChainInvalid => &[Do::AppendLink],
            Self::ListingMismatch => &[Do::Relist],
            Self::LateDelivery => &[Do::Reconcile],
            Self::Overpaid
            | Self::DuplicateSuspect
            | Self::OrphanItem
            | Self::ConfirmationStuck
            | Self::SessionFailed
            | Self::BalanceMismatch
            | Self::FeeMismatch
            | Self::PriceSourceStale
            | Self::ProviderDown
            | Self::BreakerOpen
            | Self::TraitsDiffer
            | Self::NotServed
            | Self::StrangeOffer
            | Self::UnexpectedConfirmation
            | Self::AcknowledgeTrades
            | Self::TokenExpiring
            | Self::GivingLimitReached => &[],
        }
    }
}
