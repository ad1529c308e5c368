//! Admission of calls: each acquires its places among the concurrent calls, or is rejected.

use tokio::sync::OwnedSemaphorePermit;
use tradepost_domain::accounts::access::{PrincipalId, Prover};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::calls::in_flight::{Full, InFlightPermit};
use crate::calls::limits::payer;
use crate::{OpError, OpResult, Operations, Reason};

impl Operations {
    /// Acquires a place for a call in this process, before any other check.
    ///
    /// # Errors
    /// `resource_exhausted` with `BUSY` when [`MOST_IN_PROCESS`](crate::MOST_IN_PROCESS) are active.
    pub fn begin_call(&self) -> OpResult<OwnedSemaphorePermit> {
        self.in_flight.begin().map_err(|full| busy(full, "in progress"))
    }

    /// Acquires a place for a call among those of its workspace.
    ///
    /// # Errors
    /// `resource_exhausted` with `BUSY` when [`MOST_IN_WORKSPACE`](crate::MOST_IN_WORKSPACE) are active.
    pub fn begin_call_of(&self, caller: &Caller) -> OpResult<InFlightPermit> {
        self.in_flight.begin_of(payer(caller)).map_err(|full| busy(full, "in progress"))
    }
}

/// Takes a place for a call that waits for the next change in a workspace.
///
/// # Errors
/// `resource_exhausted` with `BUSY` when as many wait as [`WaiterLimits`](crate::WaiterLimits) allows, of the caller, the workspace or in all.
pub(crate) fn begin_wait(operations: &Operations, caller: &Caller, workspace: WorkspaceId) -> OpResult<InFlightPermit> {
    let own = caller.principal.prover().map(waits_as);
    operations.in_flight.begin_wait(own, workspace).map_err(|full| busy(full, "waiting"))
}

/// Returns the bearer of a waiting call: a key, or the user of a session.
const fn waits_as(prover: Prover) -> [u8; 16] {
    match prover.id {
        PrincipalId::Key(id) => id.to_bytes(),
        PrincipalId::Session(_) => prover.user_id.to_bytes(),
    }
}

fn busy(full: Full, doing: &str) -> OpError {
    let whose = match full {
        Full::Server => "this server",
        Full::Workspace => "this workspace",
        Full::Caller => "this key or user",
    };
    OpError::resource_exhausted(
        Reason::Busy,
        format!("too many calls of {whose} are {doing}; try again in a few seconds"),
    )
}
