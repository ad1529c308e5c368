//! What every step of a pass may use: the operations, the desk, the clock, and what is known of the desk.
//!
//! The children read and report one kind of it each, and keep its state to themselves. `delisting` takes items off sale for any step.

pub(crate) mod account_health;
pub(crate) mod delisting;
pub(crate) mod exchange_rates;
pub(crate) mod leases;
pub(crate) mod open_records;
pub(crate) mod platform_snapshot;
pub(crate) mod problems;
pub(crate) mod providers;
pub(crate) mod trade_offers;

use std::sync::Arc;

use time::Duration;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_operations::{Caller, Operations};

use crate::context::account_health::{AccountRecords, LostSessions};
use crate::context::exchange_rates::RateCache;
use crate::context::leases::WorkLeases;
use crate::context::open_records::ScanCursors;
use crate::context::platform_snapshot::PlatformSnapshot;
use crate::context::problems::Problems;
use crate::context::providers::ProviderCache;
use crate::context::trade_offers::RecordedOffers;
use crate::desk::backoff::{Backoff, with_backoff};
use crate::desk::{Desk, TradingAccount, Venue};
use crate::error::{EngineError, EngineResult};
use crate::mark::{EngineClock, Mark};
use crate::timings::SafeTimings;

/// What an engine works with, and what every step may read. Steps change `state` only between concurrent calls.
pub(crate) struct Context {
    operations: Arc<Operations>,
    /// The engine as a caller, fenced by the leases it holds.
    caller: Caller,
    desk: Desk,
    timings: SafeTimings,
    clock: EngineClock,
    state: DeskState,
    problems: Problems,
}

/// State of the desk's accounts and providers, what was read for them, and the work that this node holds.
struct DeskState {
    /// Marketplaces to which no call is made at present.
    backoff: Arc<Backoff<Marketplace>>,
    leases: WorkLeases,
    accounts: AccountRecords,
    lost_sessions: LostSessions,
    providers: ProviderCache,
    rates: RateCache,
    scans: ScanCursors,
    platform: PlatformReads,
}

/// Offers and trades as the platform showed them, and the offers that are on record.
#[derive(Default)]
struct PlatformReads {
    snapshot: PlatformSnapshot,
    recorded_offers: RecordedOffers,
}

impl Context {
    pub(crate) fn new(operations: Arc<Operations>, desk: Desk, timings: &SafeTimings) -> Self {
        let clock = EngineClock::new(desk.clock.clone());
        let (desk, backoff) = with_backoff(desk, timings);
        let state = DeskState {
            backoff,
            leases: WorkLeases::default(),
            accounts: AccountRecords::default(),
            lost_sessions: LostSessions::default(),
            providers: ProviderCache::default(),
            rates: RateCache::default(),
            scans: ScanCursors::default(),
            platform: PlatformReads::default(),
        };
        let (caller, problems) = (Caller::system(), Problems::default());
        Self { operations, caller, desk, timings: *timings, clock, state, problems }
    }

    /// Takes one step after the other from now on.
    pub(crate) fn make_sequential(&mut self) {
        self.timings = self.timings.sequential();
    }

    pub(crate) fn operations(&self) -> &Operations {
        &self.operations
    }

    pub(crate) const fn caller(&self) -> &Caller {
        &self.caller
    }

    pub(crate) const fn desk(&self) -> &Desk {
        &self.desk
    }

    pub(crate) const fn timings(&self) -> &SafeTimings {
        &self.timings
    }

    pub(crate) fn venue(&self, name: &Marketplace) -> EngineResult<Venue> {
        let unknown = || EngineError::NotOnDesk { what: "marketplace", name: name.to_string() };
        self.desk.venue(name).cloned().ok_or_else(unknown)
    }

    pub(crate) fn account(&self, name: &AccountName) -> EngineResult<TradingAccount> {
        let unknown = || EngineError::NotOnDesk { what: "trading account", name: name.to_string() };
        self.desk.account(name).cloned().ok_or_else(unknown)
    }

    /// Where an item is on sale, or was sold.
    pub(crate) fn sale_venue(&self, item: &InventoryItem) -> Option<&Venue> {
        item.sale_place.as_ref().and_then(|place| self.desk.venue(&place.marketplace))
    }

    /// Whether no call is made to a marketplace at present.
    pub(crate) fn is_backing_off(&self, marketplace: &Marketplace) -> bool {
        self.state.backoff.is_active(marketplace)
    }

    /// The market's time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// By how much the market's clock was set since this engine began; negative where it was set back.
    pub(crate) fn set_by(&self) -> Duration {
        self.clock.set_by(self.timings.clock_tolerance)
    }

    /// This moment, for measuring spans.
    pub(crate) fn mark(&self) -> Mark {
        self.clock.mark()
    }
}
