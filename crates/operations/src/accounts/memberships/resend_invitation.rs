//! `ResendInvitation`: the mail of a pending invitation once more, good for another seven days.

use crate::accounts::memberships::invite_member::post_invitation;
use crate::accounts::memberships::membership_changes::find_governed;
use crate::accounts::memberships::membership_changes::log_membership;
use crate::accounts::memberships::membership_changes::workspace_name;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::{Membership, Offer, ResendError};
use tradepost_domain::id::{MembershipId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::secrets::TokenKind;

use super::invite_member;
use super::membership_changes;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

/// The invitation to resend.
#[derive(Debug, Clone, Copy)]
pub struct ResendInvitation {
    /// Into which workspace.
    pub workspace_id: WorkspaceId,
    /// The pending membership; an expired invitation is renewed as well.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Sends the mail of an invitation again, with a new link. The invitation can be accepted for seven days from now.
    ///
    /// A caller that could not make the offer cannot renew it either.
    ///
    /// # Errors
    /// `permission_denied`, with `ROLE_EXCEEDS_CALLER` or `POLICIES_EXCEED_CALLER` for an offer above the caller;
    /// `not_found`; `failed_precondition` with `MEMBERSHIP_NOT_PENDING` or `RESEND_TOO_SOON`.
    pub async fn resend_invitation(&self, caller: &Caller, command: ResendInvitation) -> OpResult<Membership> {
        let scope = rules::RESEND_INVITATION.enter(&caller.principal, command.workspace_id)?;
        self.retrying(|| self.renew_invitation(caller, scope, command.membership_id)).await
    }

    async fn renew_invitation(&self, caller: &Caller, scope: WorkspaceScope, id: MembershipId) -> OpResult<Membership> {
        let pending = find_governed(self, caller, scope, id).await?;
        let before = pending.peek().clone();
        if let Some(invitee) = before.invitee {
            let offer = Offer { invitee, role: before.role, policies: before.policies };
            let governor = membership_changes::governor(&caller.principal, before.workspace_id);
            offer.check(governor.role, governor.rights).map_err(invite_member::refusal)?;
        }
        let (at, from) = (self.now(), pending.peek().status());
        let workspace = workspace_name(self, before.workspace_id).await?;
        let mut changes = Changes::by(caller);
        let issued = self.ports.secrets.issue(TokenKind::Invitation);
        let renew = |membership: Membership| Ok(membership.renew(at)?.with_token(issued.digest));
        let renewed = changes.revise(pending, renew).map_err(refusal)?;
        let step = membership_changes::MembershipStep { revised: &renewed, from, trigger: "resend_invitation" };
        log_membership(self, caller, &mut changes, step);
        changes.audit(AuditKind::MembershipInvitationResent, &renewed.value);
        post_invitation(self, &mut changes, &renewed.value, &workspace, &issued.secret);
        self.commit(caller, changes).await?;
        Ok(renewed.value)
    }
}

fn refusal(error: ResendError) -> OpError {
    let reason = match error {
        ResendError::NotPending => Reason::MembershipNotPending,
        ResendError::TooSoon(_) => Reason::ResendTooSoon,
    };
    OpError::failed_precondition(reason, error.to_string())
}
