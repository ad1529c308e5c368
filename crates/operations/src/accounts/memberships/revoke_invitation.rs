//! `RevokeInvitation`: the workspace takes a pending invitation back.

use crate::accounts::memberships::membership_changes::find_governed;
use crate::accounts::memberships::membership_changes::step_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use tradepost_domain::accounts::membership::{Event, Membership};
use tradepost_domain::id::{MembershipId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::mails::Notice;
use crate::rules;
use crate::{OpResult, Operations};

/// The invitation to revoke.
#[derive(Debug, Clone, Copy)]
pub struct RevokeInvitation {
    /// Into which workspace.
    pub workspace_id: WorkspaceId,
    /// The pending membership.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Revokes an invitation permanently, even an expired one; the invited user is notified.
    ///
    /// # Errors
    /// `permission_denied`, with `ROLE_EXCEEDS_CALLER` for the invitation of an admin unless the owner calls; `not_found`;
    /// `failed_precondition` with `MEMBERSHIP_NOT_PENDING`.
    pub async fn revoke_invitation(&self, caller: &Caller, command: RevokeInvitation) -> OpResult<Membership> {
        let scope = rules::REVOKE_INVITATION.enter(&caller.principal, command.workspace_id)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let invitation = find_governed(self, caller, scope, command.membership_id).await?;
            let revoked = step_membership(self, caller, &mut changes, invitation, Event::RevokeInvitation)?.value;
            let workspace = workspace_name(self, command.workspace_id).await?;
            let concerned: Vec<_> = revoked.invitee.iter().cloned().collect();
            self.send_notice(&mut changes, &concerned, &Notice::invitation_revoked(&workspace));
            self.commit(caller, changes).await?;
            Ok(revoked)
        })
        .await
    }
}
