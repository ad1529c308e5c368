//! Concurrent calls: a maximum for the process, and one for each workspace. Calls that wait for the next change are counted separately, so
//! that they take no place of the others.
//!
//! Rate limits bound how often a caller calls, not how many slow calls accumulate. A call that finds no place is rejected at once: a
//! waiting call would hold memory for a response that its caller may no longer want.

use std::collections::HashMap;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tradepost_domain::accounts::access::{PrincipalId, Prover};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::calls::limits::payer;
use crate::{OpError, OpResult, Operations, Reason};

/// The maximum of active calls in a process.
pub const MOST_IN_PROCESS: usize = 1_024;
/// The maximum of active calls of one workspace in a process, or of one user outside of any workspace.
pub const MOST_IN_WORKSPACE: usize = 64;

/// The maximum of calls in a process that wait for the next change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaiterLimits {
    /// Of all workspaces.
    pub in_process: usize,
    /// Of one workspace.
    pub in_workspace: usize,
    /// Of one API key, or of all sessions of one user.
    pub of_caller: usize,
}

impl Default for WaiterLimits {
    fn default() -> Self {
        Self { in_process: 4_096, in_workspace: 256, of_caller: 16 }
    }
}

/// The number of calls by the workspace, key or user that bears them.
#[derive(Default)]
struct Counts(Mutex<HashMap<[u8; 16], usize>>);

impl Counts {
    /// Counts one more for each of these, unless one of them is at its maximum: then that one is returned.
    fn add(&self, each: &[([u8; 16], usize)]) -> Result<(), usize> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |who, most| counts.get(who).copied().unwrap_or_default() >= most;
        if let Some(full) = each.iter().position(|(who, most)| is_full(who, *most)) {
            return Err(full);
        }
        for (who, _) in each {
            *counts.entry(*who).or_default() += 1;
        }
        Ok(())
    }

    fn remove(&self, each: &[[u8; 16]]) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for who in each {
            if let Some(count) = counts.get_mut(who) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(who);
                }
            }
        }
    }
}

/// The active calls, and those that wait.
pub(crate) struct InFlight {
    process: Arc<Semaphore>,
    payers: Arc<Counts>,
    limits: WaiterLimits,
    waiting: Arc<Counts>,
}

impl Default for InFlight {
    fn default() -> Self {
        Self::with_waiters(WaiterLimits::default())
    }
}

impl InFlight {
    pub(crate) fn with_waiters(limits: WaiterLimits) -> Self {
        let process = Arc::new(Semaphore::new(MOST_IN_PROCESS));
        Self { process, payers: Arc::default(), limits, waiting: Arc::default() }
    }
}

/// The place of a call among those of others; dropping it makes room for another.
#[must_use = "a place that is dropped is free again"]
pub struct InFlightPermit {
    counts: Arc<Counts>,
    who: Vec<[u8; 16]>,
}

impl Drop for InFlightPermit {
    fn drop(&mut self) {
        self.counts.remove(&self.who);
    }
}

/// The places that a call holds while it works. Clones share them.
#[derive(Clone, Default)]
pub struct AtWork(Arc<Mutex<Option<(OwnedSemaphorePermit, InFlightPermit)>>>);

impl AtWork {
    /// Holds the places of a call, in the process and in its workspace.
    pub fn holding(in_process: OwnedSemaphorePermit, in_workspace: InFlightPermit) -> Self {
        Self(Arc::new(Mutex::new(Some((in_process, in_workspace)))))
    }

    /// Frees the places for calls that work: this one waits from now on.
    pub fn release(self) {
        drop(take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)));
    }
}

/// The bearer of all waiting calls of the process: an id that no record has.
const PROCESS: [u8; 16] = [0; 16];

impl Operations {
    /// Acquires a place for a call in this process, before any other check.
    ///
    /// # Errors
    /// `resource_exhausted` with `BUSY` when [`MOST_IN_PROCESS`] are active.
    pub fn begin_call(&self) -> OpResult<OwnedSemaphorePermit> {
        Arc::clone(&self.in_flight.process).try_acquire_owned().map_err(|_| busy("this server", "at work"))
    }

    /// Acquires a place for a call among those of its workspace.
    ///
    /// # Errors
    /// `resource_exhausted` with `BUSY` when [`MOST_IN_WORKSPACE`] are active.
    pub fn begin_call_of(&self, caller: &Caller) -> OpResult<InFlightPermit> {
        let counts = Arc::clone(&self.in_flight.payers);
        let who: Vec<[u8; 16]> = payer(caller).into_iter().collect();
        let each: Vec<_> = who.iter().map(|payer| (*payer, MOST_IN_WORKSPACE)).collect();
        counts.add(&each).map_err(|_| busy("this workspace", "at work"))?;
        Ok(InFlightPermit { counts, who })
    }
}

/// Takes a place for a call that waits for the next change in a workspace.
///
/// # Errors
/// `resource_exhausted` with `BUSY` when as many wait as [`WaiterLimits`] allows, of the caller, the workspace or in all.
pub(crate) fn begin_wait(operations: &Operations, caller: &Caller, workspace: WorkspaceId) -> OpResult<InFlightPermit> {
    let (limits, counts) = (operations.in_flight.limits, Arc::clone(&operations.in_flight.waiting));
    let own = caller.principal.prover().map(|prover| (waits_as(prover), limits.of_caller));
    let shared = [(workspace.to_bytes(), limits.in_workspace), (PROCESS, limits.in_process)];
    let each: Vec<_> = own.into_iter().chain(shared).collect();
    let who = each.iter().map(|(who, _)| *who).collect();
    counts.add(&each).map_err(|full| {
        let whose = ["this server", "this workspace", "this key or user"];
        busy(whose.get(each.len() - 1 - full).copied().unwrap_or("this server"), "waiting")
    })?;
    Ok(InFlightPermit { counts, who })
}

/// Returns the bearer of a waiting call: a key, or the user of a session.
const fn waits_as(prover: Prover) -> [u8; 16] {
    match prover.id {
        PrincipalId::Key(id) => id.to_bytes(),
        PrincipalId::Session(_) => prover.user_id.to_bytes(),
    }
}

fn busy(whose: &str, doing: &str) -> OpError {
    OpError::resource_exhausted(
        Reason::Busy,
        format!("too many calls of {whose} are {doing}; try again in a few seconds"),
    )
}
