//! What every step of a pass may use: the operations, the desk, and the clock.

use std::sync::Arc;

use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_operations::{Caller, Operations};

use crate::audit::problems::Problems;
use crate::desk::backoff::with_backoff;
use crate::desk::{Desk, DeskState, TradingAccount, Venue};
use crate::error::{EngineError, EngineResult};
use crate::mark::EngineClock;
use crate::timings::SafeTimings;

/// What an engine works with, and what every step may read. Steps change `state` only between concurrent calls.
pub(crate) struct Context {
    pub(crate) operations: Arc<Operations>,
    /// The engine as a caller, fenced by the leases it holds.
    pub(crate) caller: Caller,
    pub(crate) desk: Desk,
    pub(crate) clock: EngineClock,
    pub(crate) timings: SafeTimings,
    pub(crate) state: DeskState,
    pub(crate) problems: Problems,
}

impl Context {
    pub(crate) fn new(operations: Arc<Operations>, desk: Desk, timings: &SafeTimings) -> Self {
        let clock = EngineClock::new(desk.clock.clone());
        let (desk, backoff) = with_backoff(desk, timings);
        Self {
            operations,
            caller: Caller::system(),
            desk,
            clock,
            timings: *timings,
            state: DeskState::new(backoff),
            problems: Problems::default(),
        }
    }

    pub(crate) fn venue(&self, name: &Marketplace) -> EngineResult<Venue> {
        let unknown = || EngineError::NotOnDesk { what: "marketplace", name: name.to_string() };
        self.desk.venue(name).cloned().ok_or_else(unknown)
    }

    pub(crate) fn account(&self, name: &AccountName) -> EngineResult<TradingAccount> {
        let unknown = || EngineError::NotOnDesk { what: "trading account", name: name.to_string() };
        self.desk.account(name).cloned().ok_or_else(unknown)
    }
}
