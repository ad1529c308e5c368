//! Enums, both ways. The compiler ensures that no value of the domain is forgotten. `UNSPECIFIED` has no value of the domain.

use buffa::{EnumValue, Enumeration};
use connectrpc::ConnectError;
use tradepost_domain::contracts::contract::{ApprovalMode, ContractStatus, ContractType, PriceStatistic};
use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::contracts::intent::{FollowUpOutcome, IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::{ItemStatus, LockKind};
use tradepost_domain::contracts::ledger::report::{Grouping, ReportFormat, Span};
use tradepost_domain::contracts::ledger::{Account, Posting};
use tradepost_domain::contracts::pool::PoolStatus;
use tradepost_domain::contracts::purchase::{FailureCode, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationAction, RemediationKind, RemediationStatus, Severity};
use tradepost_domain::markets::fees::Rounding;
use tradepost_domain::markets::listing::{Category, Exterior, Rarity};
use tradepost_domain::markets::observation::Outcome as ObservationOutcome;
use tradepost_domain::markets::price_history::Bucket;
use tradepost_domain::markets::provider::{BreakerState, ProviderCapability, ProviderKind};
use tradepost_domain::trading::trade_offer::{OfferDirection, OfferOrigin, OfferStep, Strangeness, TradeOfferStatus};
use tradepost_domain::trading::trading_account::{AccountRole, AccountStatus, LockReason};
use tradepost_domain::transition::SubjectKind;
use tradepost_operations::contracts::{PurchaseOutcome, SearchKind};
use tradepost_operations::trading::BulkAction;

use super::invalid;
use tradepost_proto::{contracts, markets, trading};

/// A domain enum that has a form on the wire.
pub(crate) trait WireEnum: Sized {
    /// The form.
    type Wire: Enumeration;
    /// The value on the wire.
    fn to_wire(self) -> EnumValue<Self::Wire>;

    /// The value that was sent; `None` for `UNSPECIFIED`.
    fn from_wire(wire: Self::Wire) -> Option<Self>;
}

macro_rules! wire_enum {
    ($domain:ty, $wire:ty, $unspecified:ident: $($value:ident = $name:ident),* $(,)?) => {
        impl WireEnum for $domain {
            type Wire = $wire;

            fn to_wire(self) -> EnumValue<$wire> {
                EnumValue::Known(match self {
                    $(Self::$value => <$wire>::$name,)*
                })
            }

            fn from_wire(wire: $wire) -> Option<Self> {
                match wire {
                    <$wire>::$unspecified => None,
                    $(<$wire>::$name => Some(Self::$value),)*
                }
            }
        }
    };
}

mod accounts;
mod alerts;
mod events;
mod imports;
mod inventories;
mod sessions;
mod social;

wire_enum!(ContractType, contracts::v1::ContractType, CONTRACT_TYPE_UNSPECIFIED:
    Buying = CONTRACT_TYPE_BUYING,
    Selling = CONTRACT_TYPE_SELLING,
);

wire_enum!(ContractStatus, contracts::v1::ContractStatus, CONTRACT_STATUS_UNSPECIFIED:
    Draft = CONTRACT_STATUS_DRAFT,
    Active = CONTRACT_STATUS_ACTIVE,
    Paused = CONTRACT_STATUS_PAUSED,
    Suspended = CONTRACT_STATUS_SUSPENDED,
    Closing = CONTRACT_STATUS_CLOSING,
    Completed = CONTRACT_STATUS_COMPLETED,
    Cancelled = CONTRACT_STATUS_CANCELLED,
    Expired = CONTRACT_STATUS_EXPIRED,
);

wire_enum!(ApprovalMode, contracts::v1::ApprovalMode, APPROVAL_MODE_UNSPECIFIED:
    Automatic = APPROVAL_MODE_AUTOMATIC,
    Manual = APPROVAL_MODE_MANUAL,
    DryRun = APPROVAL_MODE_DRY_RUN,
);

wire_enum!(PriceStatistic, contracts::v1::PriceStatistic, PRICE_STATISTIC_UNSPECIFIED:
    Median = PRICE_STATISTIC_MEDIAN,
    LowestAsk = PRICE_STATISTIC_LOWEST_ASK,
    HighestBid = PRICE_STATISTIC_HIGHEST_BID,
    Sales7d = PRICE_STATISTIC_SALES_7D,
);

wire_enum!(SearchKind, contracts::v1::SearchKind, SEARCH_KIND_UNSPECIFIED:
    Purchase = SEARCH_KIND_PURCHASE,
    InventoryItem = SEARCH_KIND_INVENTORY_ITEM,
    ItemName = SEARCH_KIND_ITEM_NAME,
    Contract = SEARCH_KIND_CONTRACT,
    Account = SEARCH_KIND_ACCOUNT,
    Membership = SEARCH_KIND_MEMBERSHIP,
    ApiKey = SEARCH_KIND_API_KEY,
);

wire_enum!(PoolStatus, contracts::v1::PoolStatus, POOL_STATUS_UNSPECIFIED:
    Active = POOL_STATUS_ACTIVE,
    Paused = POOL_STATUS_PAUSED,
    Archived = POOL_STATUS_ARCHIVED,
);

wire_enum!(Account, contracts::v1::LedgerAccount, LEDGER_ACCOUNT_UNSPECIFIED:
    Available = LEDGER_ACCOUNT_AVAILABLE,
    Reserved = LEDGER_ACCOUNT_RESERVED,
    PaidInTransit = LEDGER_ACCOUNT_PAID_IN_TRANSIT,
    RefundDue = LEDGER_ACCOUNT_REFUND_DUE,
    InventoryAtCost = LEDGER_ACCOUNT_INVENTORY_AT_COST,
    DeliveredAtCost = LEDGER_ACCOUNT_DELIVERED_AT_COST,
    Receivable = LEDGER_ACCOUNT_RECEIVABLE,
    Fees = LEDGER_ACCOUNT_FEES,
    RealisedPnl = LEDGER_ACCOUNT_REALISED_PNL,
    WriteOffs = LEDGER_ACCOUNT_WRITE_OFFS,
    Capital = LEDGER_ACCOUNT_CAPITAL,
);

wire_enum!(Posting, contracts::v1::LedgerPosting, LEDGER_POSTING_UNSPECIFIED:
    Reserved = LEDGER_POSTING_RESERVED,
    Released = LEDGER_POSTING_RELEASED,
    Paid = LEDGER_POSTING_PAID,
    RefundDue = LEDGER_POSTING_REFUND_DUE,
    Refunded = LEDGER_POSTING_REFUNDED,
    Received = LEDGER_POSTING_RECEIVED,
    Reverted = LEDGER_POSTING_REVERTED,
    PurchaseWrittenOff = LEDGER_POSTING_PURCHASE_WRITTEN_OFF,
    Delivered = LEDGER_POSTING_DELIVERED,
    SaleReversed = LEDGER_POSTING_SALE_REVERSED,
    SaleSettled = LEDGER_POSTING_SALE_SETTLED,
    ItemWrittenOff = LEDGER_POSTING_ITEM_WRITTEN_OFF,
    FundsAdjusted = LEDGER_POSTING_FUNDS_ADJUSTED,
    PaidOut = LEDGER_POSTING_PAID_OUT,
    Imported = LEDGER_POSTING_IMPORTED,
);

wire_enum!(Grouping, contracts::v1::ProfitAndLossGrouping, PROFIT_AND_LOSS_GROUPING_UNSPECIFIED:
    Nothing = PROFIT_AND_LOSS_GROUPING_NONE,
    Contract = PROFIT_AND_LOSS_GROUPING_CONTRACT,
    SellingContract = PROFIT_AND_LOSS_GROUPING_SELLING_CONTRACT,
    Pool = PROFIT_AND_LOSS_GROUPING_POOL,
    Account = PROFIT_AND_LOSS_GROUPING_ACCOUNT,
    BuyMarketplace = PROFIT_AND_LOSS_GROUPING_BUY_MARKETPLACE,
    SellMarketplace = PROFIT_AND_LOSS_GROUPING_SELL_MARKETPLACE,
    ItemName = PROFIT_AND_LOSS_GROUPING_ITEM_NAME,
);

wire_enum!(Span, contracts::v1::ProfitAndLossBucket, PROFIT_AND_LOSS_BUCKET_UNSPECIFIED:
    Day = PROFIT_AND_LOSS_BUCKET_DAY,
    Week = PROFIT_AND_LOSS_BUCKET_WEEK,
    Month = PROFIT_AND_LOSS_BUCKET_MONTH,
);

wire_enum!(ReportFormat, contracts::v1::ProfitAndLossFormat, PROFIT_AND_LOSS_FORMAT_UNSPECIFIED:
    Csv = PROFIT_AND_LOSS_FORMAT_CSV,
    Json = PROFIT_AND_LOSS_FORMAT_JSON,
);

wire_enum!(Rarity, contracts::v1::Rarity, RARITY_UNSPECIFIED:
    Consumer = RARITY_CONSUMER,
    Industrial = RARITY_INDUSTRIAL,
    MilSpec = RARITY_MIL_SPEC,
    Restricted = RARITY_RESTRICTED,
    Classified = RARITY_CLASSIFIED,
    Covert = RARITY_COVERT,
    Contraband = RARITY_CONTRABAND,
);

wire_enum!(Exterior, contracts::v1::Exterior, EXTERIOR_UNSPECIFIED:
    FactoryNew = EXTERIOR_FACTORY_NEW,
    MinimalWear = EXTERIOR_MINIMAL_WEAR,
    FieldTested = EXTERIOR_FIELD_TESTED,
    WellWorn = EXTERIOR_WELL_WORN,
    BattleScarred = EXTERIOR_BATTLE_SCARRED,
);

wire_enum!(Category, contracts::v1::ItemCategory, ITEM_CATEGORY_UNSPECIFIED:
    Normal = ITEM_CATEGORY_NORMAL,
    StatTrak = ITEM_CATEGORY_STATTRAK,
    Souvenir = ITEM_CATEGORY_SOUVENIR,
);

wire_enum!(Decision, contracts::v1::EvaluationDecision, EVALUATION_DECISION_UNSPECIFIED:
    Buy = EVALUATION_DECISION_BUY,
    Skip = EVALUATION_DECISION_SKIP,
    Sell = EVALUATION_DECISION_SELL,
    Hold = EVALUATION_DECISION_HOLD,
);

wire_enum!(IntentKind, contracts::v1::IntentKind, INTENT_KIND_UNSPECIFIED:
    Buy = INTENT_KIND_BUY,
    List = INTENT_KIND_LIST,
    Reprice = INTENT_KIND_REPRICE,
    Delist = INTENT_KIND_DELIST,
    Deliver = INTENT_KIND_DELIVER,
    AcceptOffer = INTENT_KIND_ACCEPT_OFFER,
    Transfer = INTENT_KIND_TRANSFER,
);

wire_enum!(IntentStatus, contracts::v1::IntentStatus, INTENT_STATUS_UNSPECIFIED:
    Proposed = INTENT_STATUS_PROPOSED,
    Approved = INTENT_STATUS_APPROVED,
    Executing = INTENT_STATUS_EXECUTING,
    Succeeded = INTENT_STATUS_SUCCEEDED,
    Failed = INTENT_STATUS_FAILED,
    Denied = INTENT_STATUS_DENIED,
    Rejected = INTENT_STATUS_REJECTED,
    Expired = INTENT_STATUS_EXPIRED,
    Cancelled = INTENT_STATUS_CANCELLED,
);

wire_enum!(PurchaseOutcome, contracts::v1::PurchaseOutcome, PURCHASE_OUTCOME_UNSPECIFIED:
    Delivered = PURCHASE_OUTCOME_DELIVERED,
    Refunded = PURCHASE_OUTCOME_REFUNDED,
    WrittenOff = PURCHASE_OUTCOME_WRITTEN_OFF,
);

wire_enum!(RemediationKind, contracts::v1::RemediationKind, REMEDIATION_KIND_UNSPECIFIED:
    OutcomeUnknown = REMEDIATION_KIND_OUTCOME_UNKNOWN,
    PaidNotDelivered = REMEDIATION_KIND_PAID_NOT_DELIVERED,
    LateDelivery = REMEDIATION_KIND_LATE_DELIVERY,
    Overpaid = REMEDIATION_KIND_OVERPAID,
    DuplicateSuspect = REMEDIATION_KIND_DUPLICATE_SUSPECT,
    OrphanItem = REMEDIATION_KIND_ORPHAN_ITEM,
    MissingItem = REMEDIATION_KIND_MISSING_ITEM,
    AssetIdMismatch = REMEDIATION_KIND_ASSET_ID_MISMATCH,
    ChainInvalid = REMEDIATION_KIND_CHAIN_INVALID,
    TradeReversed = REMEDIATION_KIND_TRADE_REVERSED,
    ConfirmationStuck = REMEDIATION_KIND_CONFIRMATION_STUCK,
    SessionFailed = REMEDIATION_KIND_SESSION_FAILED,
    BalanceMismatch = REMEDIATION_KIND_BALANCE_MISMATCH,
    FeeMismatch = REMEDIATION_KIND_FEE_MISMATCH,
    PriceSourceStale = REMEDIATION_KIND_PRICE_SOURCE_STALE,
    ProviderDown = REMEDIATION_KIND_PROVIDER_DOWN,
    BreakerOpen = REMEDIATION_KIND_BREAKER_OPEN,
    ListingMismatch = REMEDIATION_KIND_LISTING_MISMATCH,
    TraitsDiffer = REMEDIATION_KIND_TRAITS_DIFFER,
    NotServed = REMEDIATION_KIND_NOT_SERVED,
    StrangeOffer = REMEDIATION_KIND_STRANGE_OFFER,
    UnexpectedConfirmation = REMEDIATION_KIND_UNEXPECTED_CONFIRMATION,
    AcknowledgeTrades = REMEDIATION_KIND_ACKNOWLEDGE_TRADES,
    TokenExpiring = REMEDIATION_KIND_TOKEN_EXPIRING,
    GivingLimitReached = REMEDIATION_KIND_GIVING_LIMIT_REACHED,
    UnexpectedApiKey = REMEDIATION_KIND_UNEXPECTED_API_KEY,
);

wire_enum!(FollowUpOutcome, contracts::v1::FollowUpOutcome, FOLLOW_UP_OUTCOME_UNSPECIFIED:
    OnSale = FOLLOW_UP_OUTCOME_ON_SALE,
    PriceRaised = FOLLOW_UP_OUTCOME_PRICE_RAISED,
    OffSale = FOLLOW_UP_OUTCOME_OFF_SALE,
    NotShown = FOLLOW_UP_OUTCOME_NOT_SHOWN,
);

wire_enum!(Severity, contracts::v1::RemediationSeverity, REMEDIATION_SEVERITY_UNSPECIFIED:
    Info = REMEDIATION_SEVERITY_INFO,
    Warning = REMEDIATION_SEVERITY_WARNING,
    Critical = REMEDIATION_SEVERITY_CRITICAL,
);

wire_enum!(RemediationStatus, contracts::v1::RemediationStatus, REMEDIATION_STATUS_UNSPECIFIED:
    Open = REMEDIATION_STATUS_OPEN,
    Working = REMEDIATION_STATUS_WORKING,
    Waiting = REMEDIATION_STATUS_WAITING,
    NeedsOperator = REMEDIATION_STATUS_NEEDS_OPERATOR,
    Resolved = REMEDIATION_STATUS_RESOLVED,
    Dismissed = REMEDIATION_STATUS_DISMISSED,
);

wire_enum!(RemediationAction, contracts::v1::RemediationAction, REMEDIATION_ACTION_UNSPECIFIED:
    Reconcile = REMEDIATION_ACTION_RECONCILE,
    AppendLink = REMEDIATION_ACTION_APPEND_LINK,
    ReleaseReservation = REMEDIATION_ACTION_RELEASE_RESERVATION,
    RecordRefund = REMEDIATION_ACTION_RECORD_REFUND,
    WriteOff = REMEDIATION_ACTION_WRITE_OFF,
    Relist = REMEDIATION_ACTION_RELIST,
);

wire_enum!(ObservationOutcome, markets::v1::ObservationOutcome, OBSERVATION_OUTCOME_UNSPECIFIED:
    Accepted = OBSERVATION_OUTCOME_ACCEPTED,
    Duplicate = OBSERVATION_OUTCOME_DUPLICATE,
    Rejected = OBSERVATION_OUTCOME_REJECTED,
);

wire_enum!(Bucket, markets::v1::PriceBucket, PRICE_BUCKET_UNSPECIFIED:
    Hour = PRICE_BUCKET_HOUR,
    Day = PRICE_BUCKET_DAY,
);

wire_enum!(ProviderKind, markets::v1::ProviderKind, PROVIDER_KIND_UNSPECIFIED:
    Marketplace = PROVIDER_KIND_MARKETPLACE,
    PriceSource = PROVIDER_KIND_PRICE_SOURCE,
    GamePlatform = PROVIDER_KIND_GAME_PLATFORM,
);

wire_enum!(ProviderCapability, markets::v1::ProviderCapability, PROVIDER_CAPABILITY_UNSPECIFIED:
    Listings = PROVIDER_CAPABILITY_LISTINGS,
    Buy = PROVIDER_CAPABILITY_BUY,
    Sell = PROVIDER_CAPABILITY_SELL,
    Quotes = PROVIDER_CAPABILITY_QUOTES,
    Inventory = PROVIDER_CAPABILITY_INVENTORY,
    TradeOffers = PROVIDER_CAPABILITY_TRADE_OFFERS,
);

wire_enum!(BreakerState, markets::v1::BreakerState, BREAKER_STATE_UNSPECIFIED:
    Closed = BREAKER_STATE_CLOSED,
    Open = BREAKER_STATE_OPEN,
);

wire_enum!(Rounding, markets::v1::FeeRounding, FEE_ROUNDING_UNSPECIFIED:
    Floor = FEE_ROUNDING_FLOOR,
    Ceil = FEE_ROUNDING_CEIL,
    HalfUp = FEE_ROUNDING_HALF_UP,
);

wire_enum!(PurchaseStatus, contracts::v1::PurchaseStatus, PURCHASE_STATUS_UNSPECIFIED:
    Pending = PURCHASE_STATUS_PENDING,
    Submitted = PURCHASE_STATUS_SUBMITTED,
    Uncertain = PURCHASE_STATUS_UNCERTAIN,
    Paid = PURCHASE_STATUS_PAID,
    Offered = PURCHASE_STATUS_OFFERED,
    TradeHeld = PURCHASE_STATUS_TRADE_HELD,
    Traded = PURCHASE_STATUS_TRADED,
    Settled = PURCHASE_STATUS_SETTLED,
    Failed = PURCHASE_STATUS_FAILED,
    Cancelled = PURCHASE_STATUS_CANCELLED,
    RefundPending = PURCHASE_STATUS_REFUND_PENDING,
    Refunded = PURCHASE_STATUS_REFUNDED,
    Reverted = PURCHASE_STATUS_REVERTED,
    WrittenOff = PURCHASE_STATUS_WRITTEN_OFF,
);

wire_enum!(ItemStatus, contracts::v1::InventoryItemStatus, INVENTORY_ITEM_STATUS_UNSPECIFIED:
    InInventory = INVENTORY_ITEM_STATUS_IN_INVENTORY,
    Listing = INVENTORY_ITEM_STATUS_LISTING,
    Listed = INVENTORY_ITEM_STATUS_LISTED,
    Reserved = INVENTORY_ITEM_STATUS_RESERVED,
    Delivering = INVENTORY_ITEM_STATUS_DELIVERING,
    Held = INVENTORY_ITEM_STATUS_HELD,
    Sold = INVENTORY_ITEM_STATUS_SOLD,
    Settled = INVENTORY_ITEM_STATUS_SETTLED,
    Missing = INVENTORY_ITEM_STATUS_MISSING,
    Reverted = INVENTORY_ITEM_STATUS_REVERTED,
    WrittenOff = INVENTORY_ITEM_STATUS_WRITTEN_OFF,
);

wire_enum!(FailureCode, contracts::v1::PurchaseFailureCode, PURCHASE_FAILURE_CODE_UNSPECIFIED:
    SoldAlready = PURCHASE_FAILURE_CODE_SOLD_ALREADY,
    PriceChanged = PURCHASE_FAILURE_CODE_PRICE_CHANGED,
    BalanceTooLow = PURCHASE_FAILURE_CODE_BALANCE_TOO_LOW,
    AccountBlocked = PURCHASE_FAILURE_CODE_ACCOUNT_BLOCKED,
    NotPlaced = PURCHASE_FAILURE_CODE_NOT_PLACED,
    SellerLate = PURCHASE_FAILURE_CODE_SELLER_LATE,
    CancelledByMarketplace = PURCHASE_FAILURE_CODE_CANCELLED_BY_MARKETPLACE,
    OfferEnded = PURCHASE_FAILURE_CODE_OFFER_ENDED,
    EscrowRolledBack = PURCHASE_FAILURE_CODE_ESCROW_ROLLED_BACK,
    Other = PURCHASE_FAILURE_CODE_OTHER,
);

wire_enum!(LockKind, contracts::v1::InventoryItemLockKind, INVENTORY_ITEM_LOCK_KIND_UNSPECIFIED:
    TradeProtection = INVENTORY_ITEM_LOCK_KIND_TRADE_PROTECTION,
    TradeHold = INVENTORY_ITEM_LOCK_KIND_TRADE_HOLD,
    MarketRestriction = INVENTORY_ITEM_LOCK_KIND_MARKET_RESTRICTION,
);

wire_enum!(SubjectKind, contracts::v1::TransitionSubjectType, TRANSITION_SUBJECT_TYPE_UNSPECIFIED:
    Membership = TRANSITION_SUBJECT_TYPE_MEMBERSHIP,
    ApiKey = TRANSITION_SUBJECT_TYPE_API_KEY,
    Contract = TRANSITION_SUBJECT_TYPE_CONTRACT,
    Purchase = TRANSITION_SUBJECT_TYPE_PURCHASE,
    InventoryItem = TRANSITION_SUBJECT_TYPE_INVENTORY_ITEM,
    Pool = TRANSITION_SUBJECT_TYPE_POOL,
    Intent = TRANSITION_SUBJECT_TYPE_INTENT,
    Account = TRANSITION_SUBJECT_TYPE_ACCOUNT,
    Remediation = TRANSITION_SUBJECT_TYPE_REMEDIATION,
    Provider = TRANSITION_SUBJECT_TYPE_PROVIDER,
    TradeOffer = TRANSITION_SUBJECT_TYPE_TRADE_OFFER,
    InventoryChange = TRANSITION_SUBJECT_TYPE_INVENTORY_CHANGE,
    Import = TRANSITION_SUBJECT_TYPE_IMPORT,
    Friend = TRANSITION_SUBJECT_TYPE_FRIEND,
    ChatMessage = TRANSITION_SUBJECT_TYPE_CHAT_MESSAGE,
    Confirmation = TRANSITION_SUBJECT_TYPE_CONFIRMATION,
    AccountSession = TRANSITION_SUBJECT_TYPE_ACCOUNT_SESSION,
    Renewal = TRANSITION_SUBJECT_TYPE_RENEWAL,
);

wire_enum!(TradeOfferStatus, trading::v1::TradeOfferStatus, TRADE_OFFER_STATUS_UNSPECIFIED:
    Draft = TRADE_OFFER_STATUS_DRAFT,
    SendUncertain = TRADE_OFFER_STATUS_SEND_UNCERTAIN,
    NeedsConfirmation = TRADE_OFFER_STATUS_NEEDS_CONFIRMATION,
    Active = TRADE_OFFER_STATUS_ACTIVE,
    Accepted = TRADE_OFFER_STATUS_ACCEPTED,
    Countered = TRADE_OFFER_STATUS_COUNTERED,
    Expired = TRADE_OFFER_STATUS_EXPIRED,
    Cancelled = TRADE_OFFER_STATUS_CANCELLED,
    Declined = TRADE_OFFER_STATUS_DECLINED,
    InvalidItems = TRADE_OFFER_STATUS_INVALID_ITEMS,
    CancelledBySecondFactor = TRADE_OFFER_STATUS_CANCELLED_BY_SECOND_FACTOR,
    InEscrow = TRADE_OFFER_STATUS_IN_ESCROW,
    Invalid = TRADE_OFFER_STATUS_INVALID,
    Completed = TRADE_OFFER_STATUS_COMPLETED,
    Reverted = TRADE_OFFER_STATUS_REVERTED,
    RolledBack = TRADE_OFFER_STATUS_ROLLED_BACK,
    Final = TRADE_OFFER_STATUS_FINAL,
    Unknown = TRADE_OFFER_STATUS_UNKNOWN,
);

wire_enum!(OfferDirection, trading::v1::TradeOfferDirection, TRADE_OFFER_DIRECTION_UNSPECIFIED:
    Received = TRADE_OFFER_DIRECTION_RECEIVED,
    Sent = TRADE_OFFER_DIRECTION_SENT,
);

wire_enum!(OfferOrigin, trading::v1::TradeOfferOrigin, TRADE_OFFER_ORIGIN_UNSPECIFIED:
    Engine = TRADE_OFFER_ORIGIN_ENGINE,
    Person = TRADE_OFFER_ORIGIN_PERSON,
    Outside = TRADE_OFFER_ORIGIN_OUTSIDE,
);

wire_enum!(OfferStep, trading::v1::TradeOfferRequest, TRADE_OFFER_REQUEST_UNSPECIFIED:
    Send = TRADE_OFFER_REQUEST_SEND,
    Accept = TRADE_OFFER_REQUEST_ACCEPT,
    Decline = TRADE_OFFER_REQUEST_DECLINE,
    Cancel = TRADE_OFFER_REQUEST_CANCEL,
);

wire_enum!(Strangeness, trading::v1::TradeOfferStrangeness, TRADE_OFFER_STRANGENESS_UNSPECIFIED:
    NotSentHere = TRADE_OFFER_STRANGENESS_NOT_SENT_HERE,
    ContentDiffers = TRADE_OFFER_STRANGENESS_CONTENT_DIFFERS,
);

wire_enum!(AccountStatus, trading::v1::AccountStatus, ACCOUNT_STATUS_UNSPECIFIED:
    New = ACCOUNT_STATUS_NEW,
    Validating = ACCOUNT_STATUS_VALIDATING,
    Ready = ACCOUNT_STATUS_READY,
    Degraded = ACCOUNT_STATUS_DEGRADED,
    NeedsLogin = ACCOUNT_STATUS_NEEDS_LOGIN,
    Restricted = ACCOUNT_STATUS_RESTRICTED,
    Disabled = ACCOUNT_STATUS_DISABLED,
    Banned = ACCOUNT_STATUS_BANNED,
    Removed = ACCOUNT_STATUS_REMOVED,
);

wire_enum!(BulkAction, trading::v1::AccountAction, ACCOUNT_ACTION_UNSPECIFIED:
    Enable = ACCOUNT_ACTION_ENABLE,
    Disable = ACCOUNT_ACTION_DISABLE,
    StartSession = ACCOUNT_ACTION_START_SESSION,
);

wire_enum!(AccountRole, trading::v1::AccountCapability, ACCOUNT_CAPABILITY_UNSPECIFIED:
    Buy = ACCOUNT_CAPABILITY_BUY,
    Sell = ACCOUNT_CAPABILITY_SELL,
    Store = ACCOUNT_CAPABILITY_STORE,
);

wire_enum!(LockReason, trading::v1::AccountLockReason, ACCOUNT_LOCK_REASON_UNSPECIFIED:
    TradeHold = ACCOUNT_LOCK_REASON_TRADE_HOLD,
    NewAuthenticator = ACCOUNT_LOCK_REASON_NEW_AUTHENTICATOR,
    NewDevice = ACCOUNT_LOCK_REASON_NEW_DEVICE,
    ReversalCooldown = ACCOUNT_LOCK_REASON_REVERSAL_COOLDOWN,
);

/// A value that may be absent: a filter.
pub(crate) fn optional_enum<E: WireEnum>(field: &str, given: EnumValue<E::Wire>) -> Result<Option<E>, ConnectError> {
    match given {
        EnumValue::Known(wire) => Ok(E::from_wire(wire)),
        EnumValue::Unknown(number) => Err(invalid(field, format_args!("has no value with the number {number}"))),
    }
}

/// Values of a list.
pub(crate) fn enums<E: WireEnum>(field: &str, list: &[EnumValue<E::Wire>]) -> Result<Vec<E>, ConnectError> {
    let list = list.iter().enumerate();
    list.map(|(index, given)| required_enum(&format!("{field}[{index}]"), *given)).collect()
}

/// A required value.
pub(crate) fn required_enum<E: WireEnum>(field: &str, given: EnumValue<E::Wire>) -> Result<E, ConnectError> {
    optional_enum(field, given)?.ok_or_else(|| invalid(field, "is required"))
}
