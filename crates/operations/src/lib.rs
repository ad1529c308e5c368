//! The operations of tradepost: one file each, as plain functions over ports, callable without HTTP.
//!
//! An operation reads, lets the domain decide, and commits once. Checks come in one order: rights, validation, step-up,
//! state; the credential and the rate limit come before, in [`Operations::authenticate`] and [`Operations::charge`].
#![deny(missing_docs)]

pub mod accounts;
pub mod alerts;
pub mod calls;
pub mod contracts;
pub mod error;
pub mod events;
pub mod markets;
pub mod rules;
pub mod secrets;
pub mod trading;
pub mod upkeep;

mod audit;
mod commit;
mod fields;
mod in_workspace;
mod lookup_registry;
mod mails;
mod market_time;
mod money_queue;
mod paging;
mod provider_registry;
mod results;
mod step_up;
mod transition_watch;

use std::fmt;
use std::sync::Arc;

use tokio::sync::Notify;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::session::SessionLife;
use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::Records;

use crate::accounts::{ConcurrentSignIns, Failures};
use crate::calls::call_counts::CallCounts;
use crate::calls::credential_cache::CredentialCache;
use crate::calls::in_flight::InFlight;
use crate::calls::uses::Uses;
use crate::contracts::{MarkedDay, PoolClaim, PoolQueue, Serving};
use crate::lookup_registry::LookupRegistry;
use crate::market_time::MarketTime;
use crate::money_queue::MoneyQueue;
use crate::provider_registry::ProviderRegistry;
use crate::secrets::opened_keys::OpenedKeys;
use crate::transition_watch::TransitionWatch;

pub use calls::call_counts::UsageKey;
pub use calls::charge::Charge;
pub use calls::in_flight::{AtWork, InFlightPermit, MOST_IN_PROCESS, MOST_IN_WORKSPACE, WaiterLimits};
pub use error::reason::Reason;
pub use error::{Code, OpError, OpResult};
pub use market_time::SimulatedTime;
pub use results::{Batch, PageOf, StatusCount, StatusTally, Versioned};
pub use tradepost_ports::Ports;
pub use tradepost_ports::changes::Caller;

/// The operations.
pub struct Operations {
    ports: Ports,
    public_url: String,
    takes_sign_ups: bool,
    is_demo: bool,
    session_life: SessionLife,
    failures: Failures,
    sign_ins: ConcurrentSignIns,
    in_flight: InFlight,
    known: CredentialCache,
    uses: Uses,
    counted: CallCounts,
    opened_keys: OpenedKeys,
    posted: Arc<Notify>,
    deliveries: Notify,
    alerts: Notify,
    rotated: Notify,
    watching: Arc<TransitionWatch>,
    turns: MoneyQueue,
    pool_queue: Arc<PoolQueue<PoolClaim>>,
    lookups: LookupRegistry,
    probes: ProviderRegistry,
    market_time: MarketTime,
    serving: Serving,
    marked_day: MarkedDay,
}

impl Operations {
    /// Operations over these ports. `public_url` is where people reach the server, for links in mails; without a slash
    /// at the end.
    pub fn new(ports: Ports, public_url: impl Into<String>) -> Self {
        let public_url = public_url.into().trim_end_matches('/').to_owned();
        Self {
            ports,
            public_url,
            takes_sign_ups: true,
            is_demo: false,
            session_life: SessionLife::default(),
            failures: Failures::default(),
            sign_ins: ConcurrentSignIns::default(),
            in_flight: InFlight::default(),
            known: CredentialCache::default(),
            uses: Uses::default(),
            counted: CallCounts::default(),
            opened_keys: OpenedKeys::default(),
            posted: Arc::default(),
            deliveries: Notify::new(),
            alerts: Notify::new(),
            rotated: Notify::new(),
            watching: Arc::default(),
            turns: MoneyQueue::default(),
            pool_queue: Arc::default(),
            lookups: LookupRegistry::default(),
            probes: ProviderRegistry::default(),
            market_time: MarketTime::default(),
            serving: Serving::default(),
            marked_day: MarkedDay::default(),
        }
    }

    /// Returns the same with sign-up closed: only the process itself creates accounts.
    #[must_use]
    pub fn without_sign_up(self) -> Self {
        Self { takes_sign_ups: false, ..self }
    }

    /// Returns the same for sample data, which `GetServerInfo` reports to pages.
    #[must_use]
    pub fn with_sample_data(self) -> Self {
        Self { is_demo: true, ..self }
    }

    /// Returns the same with another session lifetime than a day, or an hour without use.
    #[must_use]
    pub fn with_session_life(self, session_life: SessionLife) -> Self {
        Self { session_life, ..self }
    }

    /// Returns the same with other limits of calls that wait for the next change.
    #[must_use]
    pub fn with_waiters(self, limits: WaiterLimits) -> Self {
        Self { in_flight: InFlight::with_waiters(limits), ..self }
    }

    fn now(&self) -> Timestamp {
        self.ports.clock.now()
    }

    /// Returns the records for an answer that may be a few seconds old, such as a list or a report; the newest for the process itself,
    /// because an engine decides by what it lists.
    fn to_show(&self, caller: &Caller, scope: WorkspaceScope) -> &(dyn Records + 'static) {
        match caller.principal {
            Principal::System => self.ports.store.records(),
            Principal::Key(_) | Principal::Session(_) | Principal::Person(_) | Principal::Anonymous => {
                self.ports.store.records_to_show(scope)
            }
        }
    }

    /// Notes that a caller gets the newest records of a workspace, so that none of [`Self::to_show`] are older than those.
    fn note_shown(&self, caller: &Caller, scope: WorkspaceScope) {
        match caller.principal {
            Principal::System => {}
            Principal::Key(_) | Principal::Session(_) | Principal::Person(_) | Principal::Anonymous => {
                self.ports.store.note_shown(scope);
            }
        }
    }

    /// Returns a new id. It uses the server's clock, whatever the time of the record, because ids are an order, not times.
    fn mint<K>(&self) -> Id<K> {
        self.ports.ids.mint(self.now())
    }
}

impl fmt::Debug for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operations").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}
