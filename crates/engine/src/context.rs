//! What every step of a pass may use: the operations, the desk, and the clock.

use std::sync::Arc;

use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_operations::{Caller, Operations};
use tradepost_ports::clock::MarketClock;

use crate::audit::problems::Problems;
use crate::desk::backoff::Backoff;
use crate::desk::{Desk, DeskState, TradingAccount, Venue};
use crate::error::{EngineError, EngineResult};
use crate::mark::Mark;
use crate::settlement::PlatformReads;
use crate::timings::EngineTimings;

/// What an engine works with, and what every step may read.
pub(crate) struct Context {
    pub(crate) operations: Arc<Operations>,
    pub(crate) caller: Caller,
    pub(crate) desk: Desk,
    pub(crate) clock: Arc<dyn MarketClock>,
    /// Start of the engine, by the clock and by its monotonic measure.
    pub(crate) began: (Timestamp, Mark),
    pub(crate) timings: EngineTimings,
    /// Marketplaces to which no call is made at present.
    pub(crate) backoff: Arc<Backoff<Marketplace>>,
    /// Number of steps that run at a time.
    pub(crate) concurrency: usize,
    /// Accounts, providers, rates and work that this node holds.
    pub(crate) state: DeskState,
    pub(crate) problems: Problems,
    pub(crate) platform: PlatformReads,
}

impl Context {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.market_now()
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
