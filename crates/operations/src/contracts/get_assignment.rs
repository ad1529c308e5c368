//! [`GetAssignment`] and [`GetAssignments`]: assignments of a workspace.

use tradepost_domain::contracts::assignment::Assignment;
use tradepost_domain::id::{AssignmentId, OfAssignment, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpResult, Operations, Versioned, fields};

/// Asks for one assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAssignment {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The assignment.
    pub assignment_id: AssignmentId,
}

/// Asks for several assignments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAssignments {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The assignments, 1 to 200.
    pub assignment_ids: Vec<AssignmentId>,
}

impl Operations {
    /// Gives one assignment.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_assignment(&self, caller: &Caller, command: GetAssignment) -> OpResult<Versioned<Assignment>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        Ok(self.assignment_as_seen(scope, command.assignment_id, None).await?.into())
    }

    /// Gives several assignments in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_assignments(
        &self,
        caller: &Caller,
        command: GetAssignments,
    ) -> OpResult<Batch<Assignment, OfAssignment>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("assignmentIds", &command.assignment_ids)?;
        let found = self.ports.store.find_assignments(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
