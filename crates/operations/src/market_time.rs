//! The time of the world that is traded in. It is the installation's own, unless that world is simulated and its clock runs otherwise.

use std::sync::{Arc, PoisonError, RwLock};

use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::Clock;

use crate::Operations;

/// The clock of the world, where it has one of its own.
#[derive(Default)]
pub(crate) struct MarketTime(RwLock<Option<Arc<dyn Clock>>>);

impl Operations {
    /// From now on contracts, markets and trading accounts live by this clock: until when an intent can be approved, what is sold
    /// today, how old a price is. Who may call, sessions, keys and the audit log go by the clock of the ports.
    pub fn trade_by(&self, clock: Arc<dyn Clock>) {
        *self.market_time.0.write().unwrap_or_else(PoisonError::into_inner) = Some(clock);
    }

    /// What time it is in the world that is traded in.
    pub(crate) fn market_now(&self) -> Timestamp {
        let clock = self.market_time.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        clock.map_or_else(|| self.now(), |clock| clock.now())
    }
}
