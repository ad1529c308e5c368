//! [`GetTransition`]: one change of status.

use tradepost_domain::id::{TransitionId, WorkspaceId};
use tradepost_domain::transition::Transition;
use tradepost_ports::changes::Caller;

use super::transitions::readable;
use crate::{OpError, OpResult, Operations};

/// Asks for one change of status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetTransition {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The change.
    pub transition_id: TransitionId,
}

impl Operations {
    /// Gives one change of status.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, also for a change of a record whose log the caller may not read.
    pub async fn get_transition(&self, caller: &Caller, command: GetTransition) -> OpResult<Transition> {
        let (scope, kinds) = readable(caller, command.workspace_id)?;
        let found = self.ports.store.find_transitions(scope, &kinds, &[command.transition_id]).await?;
        found.into_iter().next().ok_or_else(|| OpError::not_found("transition"))
    }
}
