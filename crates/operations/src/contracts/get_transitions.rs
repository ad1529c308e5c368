//! [`GetTransitions`]: up to 200 changes of status at once.

use tradepost_domain::id::{TransitionId, WorkspaceId};
use tradepost_domain::transition::Transition;
use tradepost_ports::changes::Caller;

use super::transitions::readable;
use crate::answers::in_order;
use crate::{OpResult, Operations, fields};

/// Asks for several changes of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetTransitions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The changes, 1 to 200.
    pub transition_ids: Vec<TransitionId>,
}

/// What [`Operations::get_transitions`] gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTransitions {
    /// Those found, in the order asked for, each once.
    pub transitions: Vec<Transition>,
    /// The ids of which there is none that the caller may read, in the order asked for.
    pub missing: Vec<TransitionId>,
}

impl Operations {
    /// Gives several changes of status in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_transitions(&self, caller: &Caller, command: GetTransitions) -> OpResult<FoundTransitions> {
        let (scope, kinds) = readable(caller, command.workspace_id)?;
        let ids = fields::batch("transitionIds", &command.transition_ids)?;
        let found = self.ports.store.find_transitions(scope, &kinds, &ids).await?;
        let (transitions, missing) = in_order(ids, found, |transition| transition.id);
        Ok(FoundTransitions { transitions, missing })
    }
}
