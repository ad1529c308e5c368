//! The operations of tradepost: one file each, as plain functions over ports, callable without HTTP.
//!
//! An operation reads, lets the domain decide, and commits once. Checks come in one order: rights, validation, step-up,
//! state; the credential and the rate limit come before, in [`Operations::authenticate`] and [`Operations::charge`].
#![deny(missing_docs)]

pub mod accounts;
pub mod calls;
pub mod contracts;
pub mod error;
pub mod markets;
pub mod rules;
pub mod secrets;
pub mod trading;

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
mod reason;
mod results;
mod step_up;
mod transition_watch;
mod upkeep;

use std::fmt;

use tokio::sync::{Notify, Semaphore};
use tradepost_domain::accounts::session::SessionLife;
use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;

pub use calls::in_flight::{AtWork, InFlightPermit, MOST_IN_PROCESS, MOST_IN_WORKSPACE, WaiterLimits};
pub use calls::limits::Charge;
pub use calls::usage::UsageKey;
pub use error::{Code, OpError, OpResult};
pub use paging::PageOf;
pub use reason::Reason;
pub use results::{Batch, StatusCount, Versioned};
pub use secrets::key_rollover::RolloverProgress;
pub use secrets::resealing::Resealed;
pub use tradepost_ports::Ports;
pub use tradepost_ports::changes::Caller;
pub use upkeep::cleanup::CleanupSummary;

/// The operations.
pub struct Operations {
    ports: Ports,
    public_url: String,
    takes_sign_ups: bool,
    session_life: SessionLife,
    failures: accounts::Failures,
    sign_ins: Semaphore,
    in_flight: calls::in_flight::InFlight,
    known: calls::authenticate::CredentialCache,
    uses: calls::authenticate::Uses,
    counted: calls::usage::Counted,
    opened_keys: secrets::data_keys::OpenedKeys,
    posted: Notify,
    rotated: Notify,
    watching: transition_watch::TransitionWatch,
    turns: money_queue::MoneyQueue,
    lookups: lookup_registry::LookupRegistry,
    probes: provider_registry::ProviderRegistry,
    market_time: market_time::MarketTime,
    serving: contracts::Serving,
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
            session_life: SessionLife::default(),
            failures: accounts::Failures::default(),
            sign_ins: Semaphore::new(accounts::MOST_SIGN_INS),
            in_flight: calls::in_flight::InFlight::default(),
            known: calls::authenticate::CredentialCache::default(),
            uses: calls::authenticate::Uses::default(),
            counted: calls::usage::Counted::default(),
            opened_keys: secrets::data_keys::OpenedKeys::default(),
            posted: Notify::new(),
            rotated: Notify::new(),
            watching: transition_watch::TransitionWatch::default(),
            turns: money_queue::MoneyQueue::default(),
            lookups: lookup_registry::LookupRegistry::default(),
            probes: provider_registry::ProviderRegistry::default(),
            market_time: market_time::MarketTime::default(),
            serving: contracts::Serving::default(),
        }
    }

    /// Returns the same with sign-up closed: only the process itself creates accounts.
    #[must_use]
    pub fn without_sign_up(self) -> Self {
        Self { takes_sign_ups: false, ..self }
    }

    /// Returns the same with another session lifetime than a day, or an hour without use.
    #[must_use]
    pub fn with_session_life(self, session_life: SessionLife) -> Self {
        Self { session_life, ..self }
    }

    /// Returns the same with other limits of calls that wait for the next change.
    #[must_use]
    pub fn with_waiters(self, limits: WaiterLimits) -> Self {
        Self { in_flight: calls::in_flight::InFlight::with_waiters(limits), ..self }
    }

    fn now(&self) -> Timestamp {
        self.ports.clock.now()
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
