//! [`AssignRemediation`] and [`DismissRemediation`]: which member handles a problem, and that nothing more is to be done about it.

use crate::contracts::remediations::remediation_steps::move_remediation;
use crate::contracts::remediations::remediation_steps::remediation_as_seen;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::membership::Status;
use tradepost_domain::contracts::remediation::{Remediation, RemediationEvent};
use tradepost_domain::id::{RemediationId, UserId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_ports::changes::{Caller, Changes};

use crate::commit::By;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// An assignment of a problem to a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssignRemediation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediation.
    pub remediation_id: RemediationId,
    /// The assignee, an accepted member of the workspace.
    pub user_id: UserId,
    /// The version that the caller saw, from 1; rejected when the remediation has another one.
    pub expected_version: Option<i64>,
}

/// Decides that nothing more is to be done about a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DismissRemediation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediation.
    pub remediation_id: RemediationId,
    /// Why, in 1 to 200 characters.
    pub reason: String,
    /// The version that the caller saw, from 1; rejected when the remediation has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Assigns a problem to a member. The service leaves one that it has not begun to work on to that member.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` once it has ended, `MEMBERSHIP_NOT_ACCEPTED` unless the user is an accepted member.
    pub async fn assign_remediation(
        &self,
        caller: &Caller,
        command: AssignRemediation,
    ) -> OpResult<Versioned<Remediation>> {
        let scope = rules::ASSIGN_REMEDIATION.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = remediation_as_seen(self, scope, command.remediation_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let member = self.ports.store.memberships().find_member(scope, command.user_id).await?;
            let Some(member) = member.filter(|member| member.peek().status() == Status::Accepted) else {
                let message = "only an accepted member of the workspace can handle its problems";
                return Err(OpError::failed_precondition(Reason::MembershipNotAccepted, message));
            };
            changes.rely_on(member);
            let event = RemediationEvent::Assigned { to: command.user_id };
            let moved = move_remediation(self, &mut changes, By { caller, at }, seen, event)?;
            changes.audit(AuditKind::RemediationAssigned, &moved.value);
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }

    /// Decides that nothing more is to be done about a problem. When it is found again, it is a new one.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` once it has ended.
    pub async fn dismiss_remediation(
        &self,
        caller: &Caller,
        command: DismissRemediation,
    ) -> OpResult<Versioned<Remediation>> {
        let scope = rules::DISMISS_REMEDIATION.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let reason: ReasonText = fields::text("reason", &command.reason)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = remediation_as_seen(self, scope, command.remediation_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let event = RemediationEvent::Dismissed { reason: reason.clone() };
            let moved = move_remediation(self, &mut changes, By { caller, at }, seen, event)?;
            changes.audit(AuditKind::RemediationDismissed, About::from(&moved.value).with(Fact::Reason, &reason));
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
