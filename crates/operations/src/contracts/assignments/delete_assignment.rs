//! [`DeleteAssignment`]: gives accounts no further work for a pool.

use crate::contracts::assignments::assignments::assignment_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AssignmentId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpResult, Operations, fields};

/// The assignment to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteAssignment {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The assignment.
    pub assignment_id: AssignmentId,
    /// The version that the caller saw, from 1; rejected when the assignment has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deletes an assignment: its accounts get no new work for the pool, and bring what they began to its end.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition` with
    /// `VERSION_MISMATCH`.
    pub async fn delete_assignment(&self, caller: &Caller, command: DeleteAssignment) -> OpResult<()> {
        let scope = rules::DELETE_ASSIGNMENT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let found = assignment_as_seen(self, scope, command.assignment_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let deleted = changes.remove(found);
            changes.audit(AuditKind::AssignmentDeleted, &deleted);
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}
