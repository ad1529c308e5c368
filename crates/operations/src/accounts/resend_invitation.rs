//! `ResendInvitation`: the mail of a pending invitation once more, good for another seven days.

use tradepost_domain::access::WorkspaceScope;
use tradepost_domain::id::{MembershipId, WorkspaceId};
use tradepost_domain::membership::{Membership, Offer, ResendError};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::StoreError;

use super::{governing, invite_member};
use crate::rules::WRITE_WORKSPACE;
use crate::{OpError, OpResult, Operations};

/// Which invitation.
#[derive(Debug, Clone, Copy)]
pub struct ResendInvitation {
    /// Into which workspace.
    pub workspace_id: WorkspaceId,
    /// The pending membership; one that has run out meanwhile is renewed as well.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Sends the mail of an invitation again; it can be accepted for seven days from now. Whoever could not make the offer
    /// cannot renew it either.
    ///
    /// # Errors
    /// `permission_denied`, with `ROLE_EXCEEDS_CALLER` or `POLICIES_EXCEED_CALLER` for an offer above the caller;
    /// `not_found`; `failed_precondition` with `MEMBERSHIP_NOT_PENDING` or `RESEND_TOO_SOON`; `internal` with
    /// `MAIL_UNAVAILABLE` when the mail cannot be sent: the invitation is as before then.
    pub async fn resend_invitation(&self, caller: &Caller, command: ResendInvitation) -> OpResult<Membership> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_WORKSPACE)?;
        let (before, renewed) = self.retrying(|| self.renew_invitation(caller, scope, command.membership_id)).await?;
        match self.mail_again(&renewed).await {
            Ok(()) => Ok(renewed),
            Err(not_sent) => {
                self.put_back(caller, scope, (before, &renewed)).await?;
                Err(not_sent)
            }
        }
    }

    /// The invitation before and after. It is written before its mail goes out, so that of many calls at once one sends it.
    async fn renew_invitation(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        id: MembershipId,
    ) -> OpResult<(Membership, Membership)> {
        let pending = self.find_governed(caller, scope, id).await?;
        let before = pending.peek().clone();
        if let Some(invitee) = before.invitee.clone() {
            let offer = Offer { invitee, role: before.role, policies: before.policies };
            let governor = governing::governor(&caller.principal, before.workspace_id);
            offer.check(governor.role, governor.rights).map_err(invite_member::refusal)?;
        }
        let at = self.now();
        let mut changes = Changes::by(caller);
        let renewed = changes.revise(pending, |membership| membership.renew(at)).map_err(refusal)?;
        self.log_membership(caller, &mut changes, &renewed, (before.status(), "resend_invitation"));
        self.commit(caller, changes).await?;
        Ok((before, renewed.value))
    }

    async fn mail_again(&self, invited: &Membership) -> OpResult<()> {
        let Some(to) = &invited.invitee else { return Ok(()) };
        let workspace = self.workspace_name(invited.workspace_id).await?;
        self.send(self.invitation_mail(to, &workspace, &invited.id.to_string())).await
    }

    async fn put_back(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        (before, renewed): (Membership, &Membership),
    ) -> OpResult<()> {
        let now = self.ports.store.find_membership(scope, renewed.id).await?;
        // Whoever answered or took back the invitation meanwhile was faster; there is nothing left to undo then.
        let Some(now) = now.filter(|now| now.peek() == renewed) else { return Ok(()) };
        let from = now.peek().status();
        let mut changes = Changes::by(caller);
        let restored = changes.revise(now, |_| Ok::<_, OpError>(before))?;
        self.log_membership(caller, &mut changes, &restored, (from, "mail_not_sent"));
        match self.commit(caller, changes).await {
            Err(error) if !matches!(error.source, Some(StoreError::Conflict)) => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

fn refusal(error: ResendError) -> OpError {
    let reason = match error {
        ResendError::NotPending => "MEMBERSHIP_NOT_PENDING",
        ResendError::TooSoon(_) => "RESEND_TOO_SOON",
    };
    OpError::failed_precondition(reason, error.to_string())
}
