//! `TransferWorkspaceOwnership`: another member becomes the owner of a workspace, and the owner an admin.

use crate::accounts::memberships::membership_changes::log_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use crate::accounts::workspaces::whole_workspace::addresses_in;
use tradepost_domain::accounts::access::{Denied, WorkspaceScope};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::{Membership, TransferError};
use tradepost_domain::accounts::policy::Role;
use tradepost_domain::accounts::workspace::MOST_OWNED;
use tradepost_domain::id::{MembershipId, UserId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::membership_changes::MembershipStep;
use crate::accounts::workspaces::delete_workspace::enter_as_owner;
use crate::mails::Notice;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

/// The workspace and its new owner.
#[derive(Debug, Clone, Copy)]
pub struct TransferWorkspaceOwnership {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The membership of the new owner.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Transfers a workspace in one commit, so that it always has exactly one owner. Returns the new owner's membership; both users are
    /// notified.
    ///
    /// # Errors
    /// `permission_denied` unless the owner calls in person; `not_found`; `failed_precondition` with `STEP_UP_REQUIRED`,
    /// `NOT_ACCEPTED`, `TARGET_NO_TWO_FACTOR` or `WORKSPACE_LIMIT`.
    pub async fn transfer_workspace_ownership(
        &self,
        caller: &Caller,
        command: TransferWorkspaceOwnership,
    ) -> OpResult<Membership> {
        let scope = enter_as_owner(caller, command.workspace_id)?;
        let user_id = caller.principal.act_in_person()?;
        self.retrying(|| async {
            let at = self.now();
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::TRANSFER_WORKSPACE_OWNERSHIP, &mut changes).await?;
            let (own, target) = self.both_sides(scope, user_id, command.membership_id).await?;
            let decided = own.peek().clone().hand_over(target.peek().clone(), at);
            let (was, is) = decided.map_err(refusal)?;
            self.require_fit_to_own(&mut changes, is.user_id()).await?;
            let from = (own.peek().status(), target.peek().status());
            let was = changes.revise(own, |_| Ok::<_, OpError>(was))?;
            let step = MembershipStep { revised: &was, from: from.0, trigger: "hand_over" };
            log_membership(self, caller, &mut changes, step);
            let is = changes.revise(target, |_| Ok::<_, OpError>(is))?;
            let step = MembershipStep { revised: &is, from: from.1, trigger: "take_over" };
            log_membership(self, caller, &mut changes, step);
            changes.audit(AuditKind::WorkspaceOwnershipTransferred, &is.value);
            let concerned = addresses_in(self, caller, scope, &[was.value, is.value.clone()]).await?;
            let workspace = workspace_name(self, command.workspace_id).await?;
            self.send_notice(&mut changes, &concerned, &Notice::ownership_transferred(&workspace));
            self.commit(caller, changes).await?;
            Ok(is.value)
        })
        .await
    }

    async fn both_sides(
        &self,
        scope: WorkspaceScope,
        owner: UserId,
        target: MembershipId,
    ) -> OpResult<(Seen<Membership>, Seen<Membership>)> {
        let own = self.ports.store.memberships().find_member(scope, owner).await?.ok_or(Denied)?;
        let target = self.ports.store.memberships().find(scope, target).await?;
        Ok((own, target.ok_or_else(|| OpError::not_found("membership"))?))
    }

    /// Requires that the new owner has a factor stronger than a password and a mail, and room for one more workspace.
    async fn require_fit_to_own(&self, changes: &mut Changes, user: Option<UserId>) -> OpResult<()> {
        let user = user.ok_or_else(|| refusal(TransferError::NotMember))?;
        if !self.ports.store.second_factors().find_all(user).await?.has_strong() {
            let message = "the new owner needs an authenticator app or a passkey first";
            return Err(OpError::failed_precondition(Reason::TargetNoTwoFactor, message));
        }
        // Rewritten for the same reason as in `CreateWorkspace`.
        let owner = self.ports.store.users().find(user).await?.ok_or_else(|| OpError::not_found("user"))?;
        changes.revise(owner, Ok::<_, OpError>)?;
        require_room_to_own(self, user).await
    }
}

/// Rejects a further workspace for a user who owns the maximum. Deleted workspaces that can be restored count.
pub(crate) async fn require_room_to_own(operations: &Operations, user: UserId) -> OpResult<()> {
    let memberships = operations.ports.store.memberships().list_own(user).await?;
    if memberships.iter().filter(|membership| membership.peek().role == Role::Owner).count() >= MOST_OWNED {
        let message = format!("a user owns at most {MOST_OWNED} workspaces");
        return Err(OpError::failed_precondition(Reason::WorkspaceLimit, message));
    }
    Ok(())
}

fn refusal(error: TransferError) -> OpError {
    match error {
        TransferError::NotOwner => Denied.into(),
        TransferError::OwnsAlready | TransferError::NotMember => {
            OpError::failed_precondition(Reason::NotAccepted, error.to_string())
        }
    }
}
