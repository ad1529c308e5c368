//! Calls at work at one moment: at most so many in the process, and so many of them of one workspace.
//!
//! Rate limits bound how often somebody calls, not how many slow calls pile up. A call that finds no place is refused at once:
//! one that waited would hold memory for an answer that its caller may no longer want.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};
use tradepost_ports::changes::Caller;

use crate::limits::payer;
use crate::{OpError, OpResult, Operations};

/// Most calls at work in a process.
pub const MOST_IN_PROCESS: usize = 1_024;
/// Most calls at work of one workspace in a process, or of one user outside of any workspace.
pub const MOST_IN_WORKSPACE: usize = 64;

/// The calls that are at work.
pub(crate) struct InFlight {
    process: Semaphore,
    payers: Mutex<HashMap<[u8; 16], usize>>,
}

impl Default for InFlight {
    fn default() -> Self {
        Self { process: Semaphore::new(MOST_IN_PROCESS), payers: Mutex::default() }
    }
}

impl InFlight {
    fn add(&self, payer: [u8; 16]) -> bool {
        let mut payers = self.payers.lock().unwrap_or_else(PoisonError::into_inner);
        let at_work = payers.entry(payer).or_default();
        let has_room = *at_work < MOST_IN_WORKSPACE;
        *at_work += usize::from(has_room);
        has_room
    }

    fn take_off(&self, payer: [u8; 16]) {
        let mut payers = self.payers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at_work) = payers.get_mut(&payer) {
            *at_work -= 1;
            if *at_work == 0 {
                payers.remove(&payer);
            }
        }
    }
}

/// The place of a caller's call among those of its workspace; dropping it makes room for another.
#[must_use = "a place that is dropped is free again"]
pub struct Place<'a> {
    in_flight: &'a InFlight,
    payer: Option<[u8; 16]>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(payer) = self.payer {
            self.in_flight.take_off(payer);
        }
    }
}

impl Operations {
    /// Takes a place for a call in this process, before anything is looked at.
    ///
    /// # Errors
    /// `resource_exhausted` with `BUSY` when [`MOST_IN_PROCESS`] are at work.
    pub fn begin_call(&self) -> OpResult<SemaphorePermit<'_>> {
        self.in_flight.process.try_acquire().map_err(|_| busy("this server"))
    }

    /// Takes a place for a call among those of its workspace.
    ///
    /// # Errors
    /// `resource_exhausted` with `BUSY` when [`MOST_IN_WORKSPACE`] are at work.
    pub fn begin_call_of(&self, caller: &Caller) -> OpResult<Place<'_>> {
        let payer = payer(caller);
        match payer {
            Some(payer) if !self.in_flight.add(payer) => Err(busy("this workspace")),
            Some(_) | None => Ok(Place { in_flight: &self.in_flight, payer }),
        }
    }
}

fn busy(whose: &str) -> OpError {
    OpError::resource_exhausted("BUSY", format!("too many calls of {whose} are at work; try again in a few seconds"))
}
