//! Storage: reads of one statement each, and one commit for all writes of an operation.
//!
//! Records of a workspace are read with a `WorkspaceScope`, which only an authorised caller can create; a user's own records with the
//! user's id. A missing record is `Ok(None)`. Nothing here reads a clock.

mod accounts;
mod contracts;
mod error;
mod expired_records;
mod markets;
mod page;
mod trading;

use std::ops::Deref;

use async_trait::async_trait;

use crate::changes::{Changes, Committed};

pub use accounts::account_links::AccountLinks;
pub use accounts::audit::{AuditActor, AuditFilter, AuditLogs, AuditPage, AuditScope, AuditState, ListedEvent};
pub use accounts::executions::Executions;
pub use accounts::outbox::Outbox;
pub use accounts::second_factors::SecondFactors;
pub use accounts::sessions::{ListedSession, SessionRecord, SessionUse, Sessions};
pub use accounts::usage::{Usage, UsageCount, UsageQuery};
pub use accounts::users::Users;
pub use accounts::workspace_keys::{SealedSecret, WorkspaceKeys};
pub use accounts::workspaces::{KeyRecord, KeyUse, ListedKey, Workspaces};
pub use contracts::evaluations::{EvaluationFilter, Evaluations};
pub use contracts::filter_sets::FilterSets;
pub use contracts::intents::{IntentFilter, Intents, ProposalQuery, Proposals, ProposedListings, ProposedPurchases};
pub use contracts::open_records::{ActiveContract, ActivityQuery, OpenRecordReads, RecordBatch};
pub use contracts::pools::{LedgerFilter, Pools};
pub use contracts::remediations::{RemediationFilter, Remediations};
pub use contracts::reports::{FlowQuery, Position, ReportQuery, Reports};
pub use contracts::trading::{ContractFilter, ItemFilter, PurchaseFilter, Trading};
pub use contracts::transitions::{TransitionFilter, TransitionLog};
pub use error::{NotReady, StoreError, StoreResult, Unique};
pub use expired_records::{Aged, ClearingTurn, ExpiredRecordReads};
pub use markets::observations::{
    HistoryQuery, MOST_OBSERVATIONS, Markets, ObservationFilter, ObservationSpan, Offer, PriceData, PriceSnapshot,
    Recorded, Together,
};
pub use markets::prices::Prices;
pub use markets::providers::Providers;
pub use markets::worlds::{MarketKinds, Worlds};
pub use page::{Page, PageRequest};
pub use trading::leases::Leases;
pub use trading::trade_offers::{TradeOfferFilter, TradeOffers};
pub use trading::trading_accounts::{AccountFilter, AssignmentFilter, TradingAccounts};

/// Names the traits that every store implements.
macro_rules! records {
    ($($part:ident,)+) => {
        /// All methods of a store apart from commits: the reads, and the writes that change no version.
        pub trait Records: $($part +)+ Send + Sync {}

        impl<T: $($part +)+ Send + Sync> Records for T {}
    };
}

records! {
    Users,
    AccountLinks,
    Sessions,
    SecondFactors,
    Workspaces,
    Trading,
    OpenRecordReads,
    FilterSets,
    Evaluations,
    Intents,
    Pools,
    TradingAccounts,
    Remediations,
    TradeOffers,
    Reports,
    TransitionLog,
    Outbox,
    Executions,
    Usage,
    Markets,
    Prices,
    Providers,
    Leases,
    ExpiredRecordReads,
    WorkspaceKeys,
    MarketKinds,
    AuditLogs,
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
