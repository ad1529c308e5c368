//! The model of storage: maps under one lock. It defines what the other adapters have to do, and is kept as plain as it can
//! be; that it is slow with many records is the price.

mod accounts;
mod apply;
mod contracts;
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

/// Storage that lasts as long as the value.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    hides_leases: AtomicBool,
    clearing: Arc<tokio::sync::Mutex<()>>,
}

impl MemoryStore {
    /// From now on leases can be read no more, or again.
    pub fn hide_leases(&self, hides: bool) {
        self.hides_leases.store(hides, Ordering::SeqCst);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic of a test's thread leaves the state whole: it is only ever replaced in one go.
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
