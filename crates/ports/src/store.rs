//! Storage: reads of one statement each, and one commit for all writes of an operation.
//!
//! Records of a workspace are read with a `WorkspaceScope`, which only an authorised caller can create; a user's own records with the
//! user's id. A missing record is `Ok(None)`. Nothing here reads a clock.

mod accounts;
mod contracts;
mod expired_records;
mod markets;
mod trading;

use std::ops::Deref;

use async_trait::async_trait;
use tradepost_domain::id::Id;

use crate::changes::{Changes, Committed};

pub use accounts::account_links::AccountLinks;
pub use accounts::api_keys::{ApiKeys, KeyRecord, KeyUse, ListedKey};
pub use accounts::audit::{AuditActor, AuditFilter, AuditLogs, AuditPage, AuditScope, AuditState, ListedEvent};
pub use accounts::email_links::EmailLinks;
pub use accounts::executions::Executions;
pub use accounts::memberships::Memberships;
pub use accounts::outbox::Outbox;
pub use accounts::passkeys::Passkeys;
pub use accounts::second_factors::SecondFactors;
pub use accounts::sessions::{ListedSession, SessionRecord, SessionUse, Sessions};
pub use accounts::sign_ins::SignIns;
pub use accounts::step_ups::StepUps;
pub use accounts::usage::{Usage, UsageCount, UsageQuery};
pub use accounts::users::Users;
pub use accounts::workspace_keys::WorkspaceKeys;
pub use accounts::workspace_secrets::{SealedSecret, WorkspaceSecrets};
pub use accounts::workspaces::Workspaces;
pub use contracts::contracts::{ActiveContract, ActivityQuery, ContractFilter, Contracts};
pub use contracts::counters::Counters;
pub use contracts::evaluations::{EvaluationFilter, Evaluations};
pub use contracts::filter_sets::FilterSets;
pub use contracts::intents::{IntentFilter, Intents, ProposalQuery, Proposals, ProposedListings, ProposedPurchases};
pub use contracts::items::{ItemFilter, Items};
pub use contracts::ledger::{Ledger, LedgerFilter};
pub use contracts::pools::Pools;
pub use contracts::purchases::{PurchaseFilter, Purchases};
pub use contracts::remediations::{RemediationFilter, Remediations};
pub use contracts::reports::{Position, ReportQuery, Reports};
pub use contracts::transitions::{TransitionFilter, TransitionLog};
pub use expired_records::{Aged, ClearingTurn, ExpiredRecords};
pub use markets::candles::{Candles, HistoryQuery};
pub use markets::observations::{
    MOST_OBSERVATIONS, ObservationFilter, ObservationSpan, Observations, Offer, PriceSnapshot, Recorded, Together,
};
pub use markets::prices::Prices;
pub use markets::providers::Providers;
pub use markets::quotes::{PriceData, Quotes};
pub use markets::worlds::{MarketKinds, Worlds};
pub use trading::account_groups::AccountGroups;
pub use trading::assignments::{AssignmentFilter, Assignments};
pub use trading::leases::Leases;
pub use trading::trade_offers::{TradeOfferFilter, TradeOffers};
pub use trading::trading_accounts::{AccountFilter, TradingAccounts};

/// The reason why storage did not do its work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A record changed since it was read. The caller decides again on fresh reads. Nothing was written.
    #[error("a record changed since it was read")]
    Conflict,
    /// The caller's key or session, membership or user changed: the rights must be checked again. Nothing was written.
    #[error("the caller's rights changed")]
    CallerChanged,
    /// The chain's rules do not allow the link at the current end of the chain. Nothing was written.
    #[error("the chain does not take the link")]
    LinkRefused,
    /// Another record has this key already. Nothing was written.
    #[error("{0:?} is taken")]
    Duplicate(Unique),
    /// Too many writes are waiting. Nothing was written; the caller may retry.
    #[error("too much waits to be written")]
    Overloaded,
    /// Storage cannot be reached or is full. Nothing was written.
    #[error("storage is unavailable: {0}")]
    Unavailable(String),
    /// The commit was sent and not answered: it may have happened. The caller looks the record up by its id.
    #[error("the outcome of a commit is unknown: {0}")]
    Unknown(String),
    /// A stored value breaks a rule. Names table, column and row.
    #[error("stored data is corrupt: {0}")]
    Corrupt(String),
    /// A bug of ours: a statement that cannot work.
    #[error("storage was misused: {0}")]
    Bug(String),
}

/// The reason why a store should get no calls now. Everything but the source may be shown to any caller.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotReady {
    /// The last write failed, and none has succeeded since.
    #[error("the last write to the database failed: {0}")]
    LastWriteFailed(String),
    /// The volume is almost full.
    #[error(
        "{} MiB are free on the volume of the database, less than the required {} MiB",
        .free_bytes / MIB,
        .required_bytes / MIB
    )]
    LittleSpace {
        /// The number of free bytes.
        free_bytes: u64,
        /// The required number of free bytes.
        required_bytes: u64,
    },
    /// The database does not answer correctly.
    #[error("the database cannot be written to")]
    Unreachable(#[source] StoreError),
}

const MIB: u64 = 1_024 * 1_024;

/// A value that must be unique, in addition to every record's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unique {
    /// A record's own address.
    Address,
    /// A verified e-mail address over all users.
    UserEmail,
    /// An identity of another platform over all users.
    LinkedIdentity,
    /// A passkey's credential id over all users.
    PasskeyCredential,
    /// A token's digest.
    TokenDigest,
    /// A live membership of a user in a workspace.
    LiveMember,
    /// A live invitation of an address into a workspace.
    LiveInvitation,
    /// A live purchase of a listing in a workspace.
    LiveListing,
    /// The purchase that an order of a marketplace belongs to in a workspace.
    PurchaseOrder,
    /// A live intent to buy a listing in a workspace.
    LiveBuy,
    /// A live intent about the sale of an item.
    LiveSale,
    /// A live item with an asset id in a workspace.
    LiveAsset,
    /// Evidence in an item's chain.
    LinkEvidence,
    /// The number of a key of a workspace.
    WorkspaceKey,
    /// The secret of a field of a workspace's record.
    SecretPlace,
    /// A caller's idempotency key for an operation.
    IdempotencyKey,
    /// An event in the chain of its log.
    ChainedEvent,
    /// A variant that has a price override in a workspace.
    OverriddenVariant,
    /// A part of a workspace's work.
    Lease,
    /// The name of a trading account in a workspace.
    AccountName,
    /// The platform's number of a trading account in a workspace.
    PlatformAccount,
    /// An account or group that is assigned to a pool.
    Assignment,
    /// A problem of a record that has not ended.
    OpenRemediation,
    /// The name of a provider of a kind in a workspace.
    ProviderName,
    /// The platform's id of a trade offer, as one account sees it.
    SeenOffer,
    /// A trade offer for an item that was not sent yet.
    UnsentOffer,
}

/// The result of a call to storage.
pub type StoreResult<T> = Result<T, StoreError>;

/// The requested page of a list, newest first by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<K> {
    /// Only records created before this one; absent for the first page.
    pub before: Option<Id<K>>,
    /// The most ids on the page, at least 1.
    pub limit: u32,
}

/// A page of ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<K> {
    /// The ids, newest first.
    pub ids: Vec<Id<K>>,
    /// Whether there are more after the last one.
    pub more: bool,
}

/// A slice of the records, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordBatch<K> {
    /// Only records created after this one.
    pub after: Option<Id<K>>,
    /// The most records.
    pub most: u32,
}

/// Names the records of a store: how a store is asked for their reads, and the trait of them.
macro_rules! records {
    ($($accessor:ident: $part:ident,)+) => {
        /// All methods of a store apart from commits, by record: the reads, and the writes that change no version.
        pub trait Records: Send + Sync {
            $(
                #[doc = concat!("Returns the methods of [`", stringify!($part), "`].")]
                fn $accessor(&self) -> &dyn $part;
            )+
        }

        impl<T: $($part +)+ Send + Sync> Records for T {
            $(
                fn $accessor(&self) -> &dyn $part {
                    self
                }
            )+
        }
    };
}

records! {
    users: Users,
    email_links: EmailLinks,
    account_links: AccountLinks,
    sessions: Sessions,
    sign_ins: SignIns,
    second_factors: SecondFactors,
    passkeys: Passkeys,
    step_ups: StepUps,
    workspaces: Workspaces,
    memberships: Memberships,
    api_keys: ApiKeys,
    workspace_keys: WorkspaceKeys,
    workspace_secrets: WorkspaceSecrets,
    audit_logs: AuditLogs,
    usage: Usage,
    outbox: Outbox,
    executions: Executions,
    contracts: Contracts,
    filter_sets: FilterSets,
    evaluations: Evaluations,
    intents: Intents,
    purchases: Purchases,
    items: Items,
    counters: Counters,
    pools: Pools,
    ledger: Ledger,
    reports: Reports,
    remediations: Remediations,
    transitions: TransitionLog,
    observations: Observations,
    candles: Candles,
    quotes: Quotes,
    prices: Prices,
    providers: Providers,
    market_kinds: MarketKinds,
    leases: Leases,
    trading_accounts: TradingAccounts,
    account_groups: AccountGroups,
    assignments: Assignments,
    trade_offers: TradeOffers,
    expired_records: ExpiredRecords,
}

/// A store. A `dyn Store` offers the methods of [`Records`] as its own.
///
/// A store that wraps another one returns the records of that one, and does its own work in the other two methods.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Returns the records. A store that implements the traits itself returns itself.
    fn records(&self) -> &(dyn Records + 'static);

    /// Applies all of the changes or none.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was written unless it is [`StoreError::Unknown`].
    async fn commit(&self, changes: Changes) -> StoreResult<Committed>;

    /// Checks whether calls should be sent to this store now.
    ///
    /// # Errors
    /// [`NotReady`] with the reason.
    async fn check_ready(&self) -> Result<(), NotReady>;
}

impl Deref for dyn Store + '_ {
    type Target = dyn Records;

    fn deref(&self) -> &Self::Target {
        self.records()
    }
}
