//! Storage: reads of one statement each, and one commit for all writes of an operation.
//!
//! Records of a workspace are read with a `WorkspaceScope`, which only an authorised caller can create; a user's own records with the
//! user's id. A missing record is `Ok(None)`. Nothing here reads a clock.

mod accounts;
mod alerts;
mod contracts;
mod error;
mod events;
mod expired_records;
mod markets;
mod page;
mod trading;

use std::ops::Deref;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;

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
pub use accounts::workspace_secrets::{SealedSecret, SecretColumn, WorkspaceSecrets};
pub use accounts::workspaces::Workspaces;
pub use alerts::{AlertChannelFilter, AlertMessageFilter, Alerts};
pub use contracts::contract_versions::ContractVersions;
pub use contracts::contracts::{ActiveContract, ActivityQuery, ContractFilter, Contracts};
pub use contracts::counters::Counters;
pub use contracts::equity_marks::{EquityMarks, UnmarkedQuery};
pub use contracts::evaluations::{EvaluationFilter, Evaluations};
pub use contracts::filter_sets::FilterSets;
pub use contracts::intents::{
    IntentFilter, Intents, ProposalQuery, Proposals, ProposedListings, ProposedPurchases, WouldBuyFilter, WouldBuySum,
};
pub use contracts::item_names::{AFTER_ALL_NAMES, ItemNames, NameFilter, NameList, NameQuery, NamedRecord};
pub use contracts::items::{ItemFilter, ItemLock, Items};
pub use contracts::ledger::{FlowQuery, Ledger, LedgerFilter};
pub use contracts::pools::{Pools, PoolsTogether};
pub use contracts::purchases::{PurchaseFilter, Purchases};
pub use contracts::remediations::{RemediationFilter, Remediations};
pub use contracts::reports::{Position, ReportQuery, Reports};
pub use contracts::searches::Searches;
pub use contracts::transitions::{TransitionFilter, TransitionLog};
pub use error::{NotReady, StoreError, StoreResult, Unique};
pub use events::webhooks::{DeliveryFilter, Webhooks};
pub use expired_records::{Aged, ClearingTurn, ExpiredRecords};
pub use markets::candles::{Candles, HistoryQuery};
pub use markets::observations::{
    MOST_OBSERVATIONS, ObservationFilter, ObservationSpan, Observations, Offer, PriceSnapshot, Recorded, Together,
};
pub use markets::prices::Prices;
pub use markets::providers::Providers;
pub use markets::quotes::{PriceData, Quotes, ReadingTurn};
pub use markets::worlds::{MarketKinds, Worlds};
pub use page::{MOST_LOOKED_AT, Page, PageRequest, RecordBatch, StatusCounts};
pub use trading::account_groups::AccountGroups;
pub use trading::account_sessions::{AccountSessionFilter, AccountSessions};
pub use trading::assignments::{AssignmentFilter, Assignments};
pub use trading::chats::{Chats, ConversationFilter};
pub use trading::confirmations::{ConfirmationFilter, Confirmations};
pub use trading::friends::{FriendFilter, Friends};
pub use trading::imports::Imports;
pub use trading::inventory_changes::{InventoryChangeFilter, InventoryChanges};
pub use trading::leases::Leases;
pub use trading::renewals::{RenewalFilter, Renewals};
pub use trading::snapshots::{SnapshotFilter, Snapshots};
pub use trading::trade_offers::{GivenQuery, TradeOfferFilter, TradeOffers};
pub use trading::trading_accounts::{AccountFilter, TradingAccounts};

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
    contract_versions: ContractVersions,
    filter_sets: FilterSets,
    evaluations: Evaluations,
    intents: Intents,
    purchases: Purchases,
    items: Items,
    item_names: ItemNames,
    counters: Counters,
    pools: Pools,
    ledger: Ledger,
    reports: Reports,
    equity_marks: EquityMarks,
    searches: Searches,
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
    snapshots: Snapshots,
    inventory_changes: InventoryChanges,
    imports: Imports,
    confirmations: Confirmations,
    account_sessions: AccountSessions,
    renewals: Renewals,
    friends: Friends,
    chats: Chats,
    webhooks: Webhooks,
    alerts: Alerts,
    expired_records: ExpiredRecords,
}

/// A store. A `dyn Store` offers the methods of [`Records`] as its own.
///
/// A store that wraps another one returns the records of that one, and does its own work in the other methods.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Returns the records. A store that implements the traits itself returns itself.
    fn records(&self) -> &(dyn Records + 'static);

    /// Returns the records for an answer that may be a few seconds old, such as a list or a report. Never for a decision. What this
    /// process wrote into the workspace before is in the answer. By default these are the records themselves.
    fn records_to_show(&self, _scope: WorkspaceScope) -> &(dyn Records + 'static) {
        self.records()
    }

    /// Notes that a caller gets newer records of the workspace than [`Store::records_to_show`] may have: what that returns afterwards
    /// has them too. By default nothing, because those are the same records.
    fn note_shown(&self, _scope: WorkspaceScope) {}

    /// Applies all of the changes or none.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was written unless it is [`StoreError::Unknown`]. Callers commit again after any other error, also after
    /// [`StoreError::Bug`] and [`StoreError::Corrupt`]. A store that has committed and cannot read the answer returns
    /// [`StoreError::Unknown`].
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
