//! Concurrent calls: a maximum for the process, and one for each workspace. Calls that wait for the next change are counted separately, so
//! that they take no place of the others.
//!
//! Rate limits bound how often a caller calls, not how many slow calls accumulate. A call that finds no place is rejected at once: a
//! waiting call would hold memory for a response that its caller may no longer want.

use std::collections::HashMap;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tradepost_domain::id::WorkspaceId;

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

/// The bearer of all waiting calls of the process: an id that no record has.
const PROCESS: [u8; 16] = [0; 16];

/// What has the maximum of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// The process.
    Server,
    /// The workspace.
    Workspace,
    /// The key, or the user of a session.
    Caller,
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

    /// Acquires a place for a call in the process.
    pub(crate) fn begin(&self) -> Result<OwnedSemaphorePermit, Full> {
        Arc::clone(&self.process).try_acquire_owned().map_err(|_| Full::Server)
    }

    /// Acquires a place for a call among those of its payer; a call without one takes none.
    pub(crate) fn begin_of(&self, payer: Option<[u8; 16]>) -> Result<InFlightPermit, Full> {
        let counts = Arc::clone(&self.payers);
        let who: Vec<[u8; 16]> = payer.into_iter().collect();
        let each: Vec<_> = who.iter().map(|payer| (*payer, MOST_IN_WORKSPACE)).collect();
        counts.add(&each).map_err(|_| Full::Workspace)?;
        Ok(InFlightPermit { counts, who })
    }

    /// Whether any call waits for the next change.
    pub(crate) fn has_waiting(&self) -> bool {
        !self.waiting.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Acquires a place for a call that waits for the next change in a workspace.
    pub(crate) fn begin_wait(&self, caller: Option<[u8; 16]>, workspace: WorkspaceId) -> Result<InFlightPermit, Full> {
        let (limits, counts) = (self.limits, Arc::clone(&self.waiting));
        let places = [
            (caller, limits.of_caller, Full::Caller),
            (Some(workspace.to_bytes()), limits.in_workspace, Full::Workspace),
            (Some(PROCESS), limits.in_process, Full::Server),
        ];
        let places: Vec<_> = places.into_iter().filter_map(|(who, most, of)| Some((who?, most, of))).collect();
        let each: Vec<_> = places.iter().map(|(who, most, _)| (*who, *most)).collect();
        counts.add(&each).map_err(|full| places.get(full).map_or(Full::Server, |(_, _, of)| *of))?;
        Ok(InFlightPermit { counts, who: each.into_iter().map(|(who, _)| who).collect() })
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
