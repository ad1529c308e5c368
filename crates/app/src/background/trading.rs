//! Lets an engine trade. The engine decides what it does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tradepost_domain::time::Timestamp;
use tradepost_engine::Engine;
use tradepost_ports::clock::Clock;
use tradepost_ports::metrics::LAST_PASS;

use super::measuring::seconds;
use crate::PassObserver;

/// When each engine of the process ended its last pass. The earliest is published: an engine that hangs is not hidden by another one.
#[derive(Debug, Default)]
pub(crate) struct LastPasses {
    ends: Mutex<BTreeMap<u64, Timestamp>>,
}

impl LastPasses {
    /// Adds an engine, as if it had ended a pass at its start.
    fn add(&self, at: Timestamp) -> u64 {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let number = ends.last_key_value().map_or(0, |(last, _)| last.saturating_add(1));
        ends.insert(number, at);
        publish(&ends);
        number
    }

    /// Takes an engine out that takes no pass any longer.
    fn remove(&self, engine: u64) {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.remove(&engine);
        publish(&ends);
    }

    fn ended(&self, engine: u64, at: Timestamp) {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.insert(engine, at);
        publish(&ends);
    }
}

fn publish(ends: &BTreeMap<u64, Timestamp>) {
    // Without an engine there is no last pass, and an alert on its age must not fire.
    metrics::gauge!(LAST_PASS.name).set(ends.values().min().map_or(f64::NAN, |earliest| seconds(*earliest)));
}

/// How an engine is driven.
pub(crate) struct Drive {
    pub(crate) every: Duration,
    /// The server's clock.
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) passes: Arc<LastPasses>,
    pub(crate) stop: CancellationToken,
}

/// The place of an engine among the last passes, removed with the value.
struct PlaceInPasses {
    passes: Arc<LastPasses>,
    number: u64,
}

impl Drop for PlaceInPasses {
    fn drop(&mut self) {
        self.passes.remove(self.number);
    }
}

/// Takes pass after pass until stopped, and logs what each did. A pass that was begun is completed: it may be
/// waiting for an answer that it has to write down. Returns the engine, which holds its leases.
pub(crate) async fn trade(mut engine: Engine, drive: Drive, mut observer: impl PassObserver) -> Engine {
    let Drive { every, clock, passes, stop } = drive;
    let number = passes.add(clock.now());
    let place = PlaceInPasses { passes, number };
    let mut ticks = super::ticks(every);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        observer.before_pass();
        let pass = engine.pass().await;
        place.passes.ended(number, clock.now());
        if let Some(trouble) = pass.errors.first() {
            tracing::debug!(%trouble, troubles = pass.errors.len(), "steps were left for the next pass");
        }
        observer.after_pass(pass);
    }
    engine
}

/// Trades until stopped, and releases the leases, so that another node continues at once.
pub(crate) async fn trade_to_the_end(engine: Engine, drive: Drive, observer: impl PassObserver) {
    if let Err(error) = trade(engine, drive, observer).await.end().await {
        tracing::debug!(%error, "leases not released; they expire");
    }
}
