//! The model of storage: maps under one lock. It defines the behaviour of the other adapters, and is as plain as possible. The cost is that
//! it is slow with many records.

mod accounts;
mod alerts;
mod apply;
mod contracts;
mod events;
mod expired_records;
mod markets;
mod state;
mod trading;
mod unique;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use state::State;
use tradepost_ports::changes::{Changes, Committed};
use tradepost_ports::store::{NotReady, Records, Store, StoreResult};

/// Storage that lives as long as the value.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    hides_leases: AtomicBool,
    clearing: Arc<tokio::sync::Mutex<()>>,
    reading: Arc<tokio::sync::Mutex<()>>,
}

impl MemoryStore {
    /// Makes leases unreadable from now on, or readable again.
    pub fn hide_leases(&self, hides: bool) {
        self.hides_leases.store(hides, Ordering::SeqCst);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic of a test's thread leaves the state whole, because it is only ever replaced at once.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Store for MemoryStore {
    fn records(&self) -> &(dyn Records + 'static) {
        self
    }

    async fn commit(&self, changes: Changes) -> StoreResult<Committed> {
        let mut state = self.state();
        let mut next = state.clone();
        let committed = next.apply(changes.into_set())?;
        if let Committed::Applied { .. } = committed {
            *state = next;
        }
        Ok(committed)
    }

    async fn check_ready(&self) -> Result<(), NotReady> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryStore;

    crate::store_contract!(MemoryStore::default());
}
