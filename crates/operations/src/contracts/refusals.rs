//! The errors that a caller gets when a rule of the domain rejects: a reason of its own for each rule.

use tradepost_domain::accounts::workspace::OtherCurrency;
use tradepost_domain::contracts::chain::ChainError;
use tradepost_domain::contracts::contract::{
    AdmissionError, ChangeError, ContractError, CounterMismatch, DraftError, NotADraft,
};
use tradepost_domain::contracts::filter_set::FilterSetInUse;
use tradepost_domain::contracts::intent::{IntentError, ProposalError};
use tradepost_domain::contracts::inventory_item::{ItemError, ReceiveError};
use tradepost_domain::contracts::pool::{FundsError, PoolChangeError, PoolError, PoolLimitExceeded, PoolRefusal};
use tradepost_domain::contracts::purchase::{PurchaseError, TermsError};
use tradepost_domain::contracts::remediation::RemediationError;
use tradepost_ports::store::StoreError;

use crate::contracts::pools::named_pools::archived;
use crate::{OpError, Reason};

impl From<DraftError> for OpError {
    fn from(error: DraftError) -> Self {
        let field = match &error {
            DraftError::EndsBeforeStart => "endsAt",
            DraftError::MarketplaceTwice(_) | DraftError::TooManyMarketplaces => "marketplaces",
            DraftError::SourceTwice(_) | DraftError::TooManySources => "priceReference.sources",
        };
        Self::invalid_field(field, format_args!("is refused: {error}"))
    }
}

impl From<ContractError> for OpError {
    fn from(error: ContractError) -> Self {
        let reason = match &error {
            ContractError::IllegalStep { .. } => Reason::IllegalStep,
            ContractError::Limits(_) => Reason::ContractLimits,
            ContractError::Ended { .. } => Reason::ContractEnded,
            ContractError::NotEnded => Reason::ContractNotEnded,
            ContractError::StillOpen { .. } => Reason::ContractStillOpen,
            ContractError::RoomLeft(_) => Reason::ContractHasRoom,
            ContractError::NoRoom(_) => Reason::ContractFull,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<ChangeError> for OpError {
    fn from(error: ChangeError) -> Self {
        let reason = match error {
            ChangeError::Draft(error) => return error.into(),
            ChangeError::OtherType => {
                return Self::invalid_field("buying", format_args!("or selling is refused: {error}"));
            }
            ChangeError::Closed(_) => Reason::IllegalStep,
            ChangeError::Fixed(_) => Reason::FixedField,
            ChangeError::Limits(_) => Reason::ContractLimits,
            ChangeError::Ended(_) => Reason::ContractEnded,
            ChangeError::BelowUse { .. } => Reason::LimitBelowUse,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<NotADraft> for OpError {
    fn from(error: NotADraft) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}

impl From<AdmissionError> for OpError {
    fn from(error: AdmissionError) -> Self {
        let reason = match &error {
            AdmissionError::NotActive(_) => Reason::ContractNotActive,
            AdmissionError::NeverBuys => Reason::ContractNeverBuys,
            AdmissionError::NeverSells => Reason::ContractNeverSells,
            AdmissionError::BelowFloor { .. } => Reason::BelowFloor,
            AdmissionError::MarginTooLow { .. } => Reason::MarginTooLow,
            AdmissionError::OtherContract => Reason::OtherContract,
            AdmissionError::OtherMarketplace => Reason::OtherMarketplace,
            AdmissionError::OutOfTime => Reason::ContractOutOfTime,
            AdmissionError::TooExpensive { .. } => Reason::TooExpensive,
            AdmissionError::QuantityReached { .. } => Reason::QuantityReached,
            AdmissionError::TooManyOpen { .. } => Reason::TooManyOpen,
            AdmissionError::TooManyListed { .. } => Reason::TooManyListed,
            AdmissionError::BudgetTooLow { .. } => Reason::BudgetTooLow,
            AdmissionError::DailyBudgetTooLow { .. } => Reason::DailyBudgetTooLow,
            AdmissionError::EnoughOfName { .. } => Reason::ItemNameLimit,
            AdmissionError::CoolingDown { .. } => Reason::CoolingDown,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl OpError {
    /// Returns whether a limit of the contract rejects a purchase: one that an evaluation reports as well, where it knows as much.
    pub fn is_limit_of_contract(&self) -> bool {
        matches!(
            self.reason,
            Reason::ContractNotActive
                | Reason::QuantityReached
                | Reason::TooManyOpen
                | Reason::BudgetTooLow
                | Reason::DailyBudgetTooLow
                | Reason::ItemNameLimit
                | Reason::CoolingDown
        )
    }
}

impl OpError {
    /// Returns whether the order belongs to another purchase.
    pub fn is_order_of_another(&self) -> bool {
        self.reason == Reason::OrderOwned
    }

    /// Returns whether the pool of the contract rejects a purchase: it pays for nothing further, or not for this one.
    pub fn is_limit_of_pool(&self) -> bool {
        matches!(
            self.reason,
            Reason::PoolNotActive
                | Reason::PoolPurchaseLimit
                | Reason::PoolItemExposure
                | Reason::PoolDailyLimit
                | Reason::PoolFundsTooLow
        )
    }
}

impl From<ProposalError> for OpError {
    fn from(error: ProposalError) -> Self {
        let field = match &error {
            ProposalError::OtherTarget(_) => "kind",
            ProposalError::NoContract => "contractId",
            ProposalError::FreeOfCharge | ProposalError::NoPrice(_) => "priceCents",
            ProposalError::NoMarketplace => "marketplace",
            ProposalError::NoRecipient => "accountId",
            ProposalError::AboveMaximum { .. } | ProposalError::Money(_) => "maxBuyPriceCents",
        };
        Self::invalid_field(field, format_args!("is refused: {error}"))
    }
}

impl From<IntentError> for OpError {
    fn from(error: IntentError) -> Self {
        let reason = match &error {
            IntentError::IllegalStep { .. } | IntentError::NotExpired { .. } => Reason::IllegalStep,
            IntentError::Expired { .. } => Reason::IntentExpired,
            IntentError::HasPurchase => Reason::IntentHasPurchase,
            IntentError::BuysNothing(_) => Reason::IntentBuysNothing,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<RemediationError> for OpError {
    fn from(error: RemediationError) -> Self {
        let reason = match &error {
            RemediationError::IllegalStep { .. } => Reason::IllegalStep,
            RemediationError::OtherAction { .. } => Reason::ActionNotAllowed,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<OtherCurrency> for OpError {
    fn from(error: OtherCurrency) -> Self {
        Self::failed_precondition(Reason::OtherCurrency, error.to_string())
    }
}

impl From<PoolRefusal> for OpError {
    fn from(error: PoolRefusal) -> Self {
        let reason = match &error {
            PoolRefusal::NotActive(_) => Reason::PoolNotActive,
            PoolRefusal::TooExpensive { .. } => Reason::PoolPurchaseLimit,
            PoolRefusal::TooExposed { .. } => Reason::PoolItemExposure,
            PoolRefusal::DayUsedUp { .. } => Reason::PoolDailyLimit,
            PoolRefusal::TooLow { .. } => Reason::PoolFundsTooLow,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<PoolLimitExceeded> for OpError {
    fn from(error: PoolLimitExceeded) -> Self {
        Self::failed_precondition(Reason::BeyondPool, error.to_string())
    }
}

impl From<PoolError> for OpError {
    fn from(error: PoolError) -> Self {
        let reason = match &error {
            PoolError::IllegalStep { .. } => Reason::IllegalStep,
            PoolError::HoldsMoney { .. } => Reason::PoolHoldsMoney,
            PoolError::InUse { .. } => Reason::PoolInUse,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<PoolChangeError> for OpError {
    fn from(error: PoolChangeError) -> Self {
        match error {
            PoolChangeError::Archived => archived(),
            PoolChangeError::BelowCapital { .. } => Self::failed_precondition(Reason::LimitBelowUse, error.to_string()),
            PoolChangeError::Limits(error) => Self::invalid_field("limits", format_args!("are refused: {error}")),
        }
    }
}

impl From<FundsError> for OpError {
    fn from(error: FundsError) -> Self {
        let reason = match error {
            FundsError::Archived => return archived(),
            FundsError::Ledger(error) => return error.into(),
            FundsError::Nothing => return Self::invalid_field("amountCents", error),
            FundsError::AboveBudget { .. } => Reason::AbovePoolBudget,
            FundsError::TooLow { .. } => Reason::PoolFundsTooLow,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<FilterSetInUse> for OpError {
    fn from(error: FilterSetInUse) -> Self {
        Self::failed_precondition(Reason::FilterSetInUse, error.to_string())
    }
}

impl From<CounterMismatch> for OpError {
    fn from(error: CounterMismatch) -> Self {
        StoreError::Corrupt(error.to_string()).into()
    }
}

impl From<TermsError> for OpError {
    fn from(error: TermsError) -> Self {
        let field = match &error {
            TermsError::FreeListing => "listingPriceCents",
            TermsError::AboveMaximum { .. } | TermsError::Money(_) => "maxBuyPriceCents",
        };
        Self::invalid_field(field, format_args!("is refused: {error}"))
    }
}

impl From<PurchaseError> for OpError {
    fn from(error: PurchaseError) -> Self {
        let reason = match &error {
            PurchaseError::IllegalStep { .. } => Reason::IllegalStep,
            PurchaseError::TooExpensive { .. } => Reason::TooExpensive,
            PurchaseError::TooEarly { .. } => Reason::TooEarly,
            PurchaseError::AbsenceNotProven { .. } => Reason::AbsenceNotProven,
            PurchaseError::OfferAsksForOurs => Reason::OfferAsksForOurs,
            PurchaseError::OtherTrade { .. } => Reason::OtherTrade,
            PurchaseError::EmptyRefund | PurchaseError::Money(_) => {
                return Self::invalid_field("event", format_args!("is refused: {error}"));
            }
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<ChainError> for OpError {
    fn from(error: ChainError) -> Self {
        let reason = match &error {
            ChainError::StaleStep { .. } => Reason::StaleStep,
            ChainError::NotAStart(_) | ChainError::IllegalSuccessor { .. } => Reason::IllegalSuccessor,
            ChainError::IdUnchanged { .. } => Reason::AssetIdUnchanged,
            ChainError::NotBought { .. } => Reason::NotBought,
            ChainError::AssetIdMismatch { .. } => Reason::AssetIdMismatch,
            ChainError::Full => Reason::ChainFull,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<ItemError> for OpError {
    fn from(error: ItemError) -> Self {
        let reason = match error {
            ItemError::Chain(error) => return error.into(),
            ItemError::IllegalStep { from, .. } | ItemError::IllegalLink { from, .. } if from.is_terminal() => {
                Reason::ItemClosed
            }
            ItemError::IllegalStep { .. } => Reason::IllegalStep,
            ItemError::IllegalLink { .. } => Reason::IllegalLink,
            ItemError::Locked { .. } => Reason::ItemLocked,
            ItemError::FreeListing => {
                return Self::invalid_field("event", format_args!("is refused: {error}"));
            }
            ItemError::OtherListing { .. } => Reason::OtherListing,
            ItemError::OtherAsset { .. } => Reason::OtherAsset,
            ItemError::TooEarly { .. } => Reason::TooEarly,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<ReceiveError> for OpError {
    fn from(error: ReceiveError) -> Self {
        match error {
            ReceiveError::Chain(error) => error.into(),
            ReceiveError::NotTraded(_) => Self::failed_precondition(Reason::NotTraded, error.to_string()),
        }
    }
}
