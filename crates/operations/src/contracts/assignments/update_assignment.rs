//! [`UpdateAssignment`]: changes what assigned accounts do for their pool, and how far they may go.

use crate::contracts::assignments::assignments::assignment_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::assignment::{Assignment, AssignmentTerms};
use tradepost_domain::id::{AssignmentId, WorkspaceId};
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_ports::changes::{Caller, Changes};

use super::assignments::{AssignmentLimits, roles};
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes to one assignment; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateAssignment {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The assignment.
    pub assignment_id: AssignmentId,
    /// The new roles of the accounts; empty leaves them unchanged.
    pub roles: Vec<AccountRole>,
    /// The priority from now on.
    pub priority: Option<i64>,
    /// The limits from now on, all of them.
    pub limits: Option<AssignmentLimits>,
    /// The version that the caller saw, from 1; rejected when the assignment has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes roles, priority or limits of an assignment. Its pool and its accounts stay.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, and when nothing is to change; `not_found`;
    /// `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn update_assignment(
        &self,
        caller: &Caller,
        command: UpdateAssignment,
    ) -> OpResult<Versioned<Assignment>> {
        let scope = rules::UPDATE_ASSIGNMENT.enter(&caller.principal, command.workspace_id)?;
        if command.roles.is_empty() && command.priority.is_none() && command.limits.is_none() {
            return Err(OpError::invalid_field("roles", "or another field that is to change is required"));
        }
        let priority = fields::optional(command.priority, fields::whole, "priority")?;
        let limits = command.limits.as_ref().map(AssignmentLimits::check).transpose()?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let found = assignment_as_seen(self, scope, command.assignment_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let next = changes.revise(found, |assignment| {
                let AssignmentTerms { roles: before, priority: place, max_open_purchases, max_items } =
                    assignment.terms.clone();
                let (max_open_purchases, max_items) = limits.unwrap_or((max_open_purchases, max_items));
                let roles = if command.roles.is_empty() { before } else { roles(&command.roles)? };
                let priority = priority.unwrap_or(place);
                Ok::<_, OpError>(
                    assignment.change(AssignmentTerms { roles, priority, max_open_purchases, max_items }, at),
                )
            })?;
            changes.audit(AuditKind::AssignmentUpdated, &next.value);
            self.commit(caller, changes).await?;
            Ok(next.into())
        })
        .await
    }
}
