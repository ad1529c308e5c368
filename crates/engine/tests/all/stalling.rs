//! The clock of a process that is stopped for a while, or of a machine whose clock is set.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use futures::FutureExt as _;
use tradepost_adapters_simulator::Simulator;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::{Clock, MarketClock};

/// How long it stalls.
const STALL: Duration = Duration::from_secs(30);

/// The clock of the world, which stalls on request: it then takes long to return the time, as for a process that was stopped.
pub(crate) struct Stalling {
    simulator: Simulator,
    is_next: AtomicBool,
    is_slow: AtomicBool,
    /// How far it is ahead of the world's, in seconds.
    ahead: AtomicI64,
}

impl Stalling {
    pub(crate) fn of(simulator: &Simulator) -> Self {
        let [is_next, is_slow] = [false, false].map(AtomicBool::new);
        Self { simulator: simulator.clone(), is_next, is_slow, ahead: AtomicI64::new(0) }
    }

    /// Stalls every time, or no longer.
    pub(crate) fn be_slow(&self, is_slow: bool) {
        self.is_slow.store(is_slow, Ordering::SeqCst);
    }

    /// Is set ahead of the time that it shows, or back where that is negative.
    pub(crate) fn set_by(&self, by: time::Duration) {
        self.ahead.fetch_add(by.whole_seconds(), Ordering::SeqCst);
    }

    /// Stalls the next time.
    pub(crate) fn stall_next(&self) {
        self.is_next.store(true, Ordering::SeqCst);
    }
}

impl Clock for Stalling {
    fn now(&self) -> Timestamp {
        if self.is_next.swap(false, Ordering::SeqCst) || self.is_slow.load(Ordering::SeqCst) {
            let _ = tokio::time::advance(STALL).now_or_never();
        }
        self.simulator.market_now().plus(time::Duration::seconds(self.ahead.load(Ordering::SeqCst)))
    }

    fn elapsed(&self) -> Duration {
        self.simulator.market_elapsed()
    }
}

/// The market is as late as the server: what is tried is how both bear it.
impl MarketClock for Stalling {
    fn market_now(&self) -> Timestamp {
        self.now()
    }

    fn market_elapsed(&self) -> Duration {
        self.elapsed()
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Simulated
    }
}
