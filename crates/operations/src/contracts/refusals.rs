//! The errors that a caller gets when a rule of the domain refuses: a reason of its own for each rule.

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

use crate::OpError;
use crate::contracts::pools::named_pools::archived;

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
            ContractError::IllegalStep { .. } => "ILLEGAL_STEP",
            ContractError::Limits(_) => "CONTRACT_LIMITS",
            ContractError::Ended { .. } => "CONTRACT_ENDED",
            ContractError::NotEnded => "CONTRACT_NOT_ENDED",
            ContractError::StillOpen { .. } => "CONTRACT_STILL_OPEN",
            ContractError::RoomLeft(_) => "CONTRACT_HAS_ROOM",
            ContractError::NoRoom(_) => "CONTRACT_FULL",
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
            ChangeError::Closed(_) => "ILLEGAL_STEP",
            ChangeError::Fixed(_) => "FIXED_FIELD",
            ChangeError::Limits(_) => "CONTRACT_LIMITS",
            ChangeError::Ended(_) => "CONTRACT_ENDED",
            ChangeError::BelowUse { .. } => "LIMIT_BELOW_USE",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<NotADraft> for OpError {
    fn from(error: NotADraft) -> Self {
        Self::failed_precondition("ILLEGAL_STEP", error.to_string())
    }
}

impl From<AdmissionError> for OpError {
    fn from(error: AdmissionError) -> Self {
        let reason = match &error {
            AdmissionError::NotActive(_) => "CONTRACT_NOT_ACTIVE",
            AdmissionError::NeverBuys => "CONTRACT_NEVER_BUYS",
            AdmissionError::NeverSells => "CONTRACT_NEVER_SELLS",
            AdmissionError::BelowFloor { .. } => "BELOW_FLOOR",
            AdmissionError::MarginTooLow { .. } => "MARGIN_TOO_LOW",
            AdmissionError::OtherContract => "OTHER_CONTRACT",
            AdmissionError::OtherMarketplace => "OTHER_MARKETPLACE",
            AdmissionError::OutOfTime => "CONTRACT_OUT_OF_TIME",
            AdmissionError::TooExpensive { .. } => "TOO_EXPENSIVE",
            AdmissionError::QuantityReached { .. } => "QUANTITY_REACHED",
            AdmissionError::TooManyOpen { .. } => "TOO_MANY_OPEN",
            AdmissionError::TooManyListed { .. } => "TOO_MANY_LISTED",
            AdmissionError::BudgetTooLow { .. } => "BUDGET_TOO_LOW",
            AdmissionError::DailyBudgetTooLow { .. } => "DAILY_BUDGET_TOO_LOW",
            AdmissionError::EnoughOfName { .. } => "ITEM_NAME_LIMIT",
            AdmissionError::CoolingDown { .. } => "COOLING_DOWN",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl OpError {
    /// Whether a limit of the contract refuses a purchase: one that an evaluation reports as well, where it knows as much.
    pub fn is_limit_of_contract(&self) -> bool {
        matches!(
            self.reason,
            "CONTRACT_NOT_ACTIVE"
                | "QUANTITY_REACHED"
                | "TOO_MANY_OPEN"
                | "BUDGET_TOO_LOW"
                | "DAILY_BUDGET_TOO_LOW"
                | "ITEM_NAME_LIMIT"
                | "COOLING_DOWN"
        )
    }
}

impl OpError {
    /// Whether an order was found that another purchase has.
    pub fn is_order_of_another(&self) -> bool {
        self.reason == "ORDER_OWNED"
    }

    /// Whether the pool of the contract refuses a purchase: it pays for nothing further, or not for this one.
    pub fn is_limit_of_pool(&self) -> bool {
        matches!(
            self.reason,
            "POOL_NOT_ACTIVE"
                | "POOL_PURCHASE_LIMIT"
                | "POOL_ITEM_EXPOSURE"
                | "POOL_DAILY_LIMIT"
                | "POOL_FUNDS_TOO_LOW"
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
            ProposalError::AboveMaximum { .. } | ProposalError::Money(_) => "maxBuyPriceCents",
        };
        Self::invalid_field(field, format_args!("is refused: {error}"))
    }
}

impl From<IntentError> for OpError {
    fn from(error: IntentError) -> Self {
        let reason = match &error {
            IntentError::IllegalStep { .. } | IntentError::NotExpired { .. } => "ILLEGAL_STEP",
            IntentError::Expired { .. } => "INTENT_EXPIRED",
            IntentError::HasPurchase => "INTENT_HAS_PURCHASE",
            IntentError::BuysNothing(_) => "INTENT_BUYS_NOTHING",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<RemediationError> for OpError {
    fn from(error: RemediationError) -> Self {
        let reason = match &error {
            RemediationError::IllegalStep { .. } => "ILLEGAL_STEP",
            RemediationError::OtherAction { .. } => "ACTION_NOT_ALLOWED",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<OtherCurrency> for OpError {
    fn from(error: OtherCurrency) -> Self {
        Self::failed_precondition("OTHER_CURRENCY", error.to_string())
    }
}

impl From<PoolRefusal> for OpError {
    fn from(error: PoolRefusal) -> Self {
        let reason = match &error {
            PoolRefusal::NotActive(_) => "POOL_NOT_ACTIVE",
            PoolRefusal::TooExpensive { .. } => "POOL_PURCHASE_LIMIT",
            PoolRefusal::TooExposed { .. } => "POOL_ITEM_EXPOSURE",
            PoolRefusal::DayUsedUp { .. } => "POOL_DAILY_LIMIT",
            PoolRefusal::TooLow { .. } => "POOL_FUNDS_TOO_LOW",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<PoolLimitExceeded> for OpError {
    fn from(error: PoolLimitExceeded) -> Self {
        Self::failed_precondition("BEYOND_POOL", error.to_string())
    }
}

impl From<PoolError> for OpError {
    fn from(error: PoolError) -> Self {
        let reason = match &error {
            PoolError::IllegalStep { .. } => "ILLEGAL_STEP",
            PoolError::HoldsMoney { .. } => "POOL_HOLDS_MONEY",
            PoolError::InUse { .. } => "POOL_IN_USE",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<PoolChangeError> for OpError {
    fn from(error: PoolChangeError) -> Self {
        match error {
            PoolChangeError::Archived => archived(),
            PoolChangeError::BelowCapital { .. } => Self::failed_precondition("LIMIT_BELOW_USE", error.to_string()),
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
            FundsError::AboveBudget { .. } => "ABOVE_POOL_BUDGET",
            FundsError::TooLow { .. } => "POOL_FUNDS_TOO_LOW",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<FilterSetInUse> for OpError {
    fn from(error: FilterSetInUse) -> Self {
        Self::failed_precondition("FILTER_SET_IN_USE", error.to_string())
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
            PurchaseError::IllegalStep { .. } => "ILLEGAL_STEP",
            PurchaseError::TooExpensive { .. } => "TOO_EXPENSIVE",
            PurchaseError::TooEarly { .. } => "TOO_EARLY",
            PurchaseError::AbsenceNotProven { .. } => "ABSENCE_NOT_PROVEN",
            PurchaseError::OfferAsksForOurs => "OFFER_ASKS_FOR_OURS",
            PurchaseError::OtherTrade { .. } => "OTHER_TRADE",
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
            ChainError::StaleStep { .. } => "STALE_STEP",
            ChainError::NotAStart(_) | ChainError::IllegalSuccessor { .. } => "ILLEGAL_SUCCESSOR",
            ChainError::IdUnchanged { .. } => "ASSET_ID_UNCHANGED",
            ChainError::NotBought { .. } => "NOT_BOUGHT",
            ChainError::AssetIdMismatch { .. } => "ASSET_ID_MISMATCH",
            ChainError::Full => "CHAIN_FULL",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<ItemError> for OpError {
    fn from(error: ItemError) -> Self {
        let reason = match error {
            ItemError::Chain(error) => return error.into(),
            ItemError::IllegalStep { from, .. } | ItemError::IllegalLink { from, .. } if from.is_terminal() => {
                "ITEM_CLOSED"
            }
            ItemError::IllegalStep { .. } => "ILLEGAL_STEP",
            ItemError::IllegalLink { .. } => "ILLEGAL_LINK",
            ItemError::Locked { .. } => "ITEM_LOCKED",
            ItemError::FreeListing => {
                return Self::invalid_field("event", format_args!("is refused: {error}"));
            }
            ItemError::OtherListing { .. } => "OTHER_LISTING",
            ItemError::OtherAsset { .. } => "OTHER_ASSET",
            ItemError::TooEarly { .. } => "TOO_EARLY",
        };
        Self::failed_precondition(reason, error.to_string())
    }
}

impl From<ReceiveError> for OpError {
    fn from(error: ReceiveError) -> Self {
        match error {
            ReceiveError::Chain(error) => error.into(),
            ReceiveError::NotTraded(_) => Self::failed_precondition("NOT_TRADED", error.to_string()),
        }
    }
}
