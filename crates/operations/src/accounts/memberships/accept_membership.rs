//! `AcceptMembership`: the invited person joins a workspace.

use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::inviter_of;
use crate::accounts::memberships::membership_changes::workspace_name;
use crate::accounts::two_factor::strong_factors::require_strong_factor;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::{Event, Membership, MembershipError, Status};
use tradepost_domain::id::MembershipId;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use super::membership_changes::notification_scope;
use crate::commit::Step;
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations, Reason};

/// The invitation to accept.
#[derive(Debug, Clone, Copy)]
pub struct AcceptMembership {
    /// The membership.
    pub membership_id: MembershipId,
}

impl Operations {
    /// Accepts a pending invitation of the caller's verified address and grants its policies. The inviter is notified.
    ///
    /// # Errors
    /// `not_found` for an unknown membership and for another user's alike; `failed_precondition` with `MEMBERSHIP_NOT_PENDING`,
    /// `INVITATION_EXPIRED`, `WORKSPACE_DELETED`, `TWO_FACTOR_REQUIRED` or `ALREADY_MEMBER`; `permission_denied` for a key without
    /// `identity`.
    pub async fn accept_membership(&self, caller: &Caller, command: AcceptMembership) -> OpResult<Membership> {
        let user_id = caller.principal.act_as_user()?;
        let at = self.now();
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
            let user = changes.rely_on(user);
            let pending = self.ports.store.memberships().find_own(&user, command.membership_id).await?;
            let pending = pending.ok_or_else(|| OpError::not_found("membership"))?;
            let from = pending.peek().status();
            let event = Event::Accept { by: user_id };
            let accepted = changes.revise(pending, |membership| membership.apply(event, at)).map_err(refusal)?;
            require_strong_factor(self, accepted.value.workspace_id, user_id, &mut changes).await?;
            let step = Step {
                subject: Subject::Membership(accepted.value.id),
                from: Some(from.as_str()),
                to: Status::Accepted.as_str(),
                version: accepted.version,
                trigger: event.as_str(),
            };
            changes.append(AppendedRow::Transition(self.transition(caller, accepted.value.workspace_id, step, at)));
            changes.audit(AuditKind::MembershipAccepted, &accepted.value);
            self.notify_inviter(&mut changes, &accepted.value).await?;
            self.commit(caller, changes).await.map_err(already_member)?;
            Ok(accepted.value)
        })
        .await
    }

    /// Notifies the inviter, as long as they are a member.
    async fn notify_inviter(&self, changes: &mut Changes, accepted: &Membership) -> OpResult<()> {
        let Some(inviter) = inviter_of(self, accepted).await? else { return Ok(()) };
        if self
            .ports
            .store
            .memberships()
            .find_member(notification_scope(accepted.workspace_id)?, inviter)
            .await?
            .is_some()
        {
            let concerned = addresses_of_user(self, Some(inviter)).await?;
            let workspace = workspace_name(self, accepted.workspace_id).await?;
            let guest = accepted.invitee.as_ref().map(ToString::to_string).unwrap_or_default();
            self.send_notice(changes, &concerned, &Notice::invitation_accepted(&workspace, &guest));
        }
        Ok(())
    }
}

fn refusal(error: MembershipError) -> OpError {
    let reason = match error {
        MembershipError::WorkspaceDeleted => Reason::WorkspaceDeleted,
        MembershipError::InvitationExpired(_) => Reason::InvitationExpired,
        MembershipError::NotExpired(_) | MembershipError::Owner | MembershipError::Illegal { .. } => {
            Reason::MembershipNotPending
        }
    };
    OpError::failed_precondition(reason, error.to_string())
}

fn already_member(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::LiveMember)) => {
            OpError::failed_precondition(Reason::AlreadyMember, "you are a member of this workspace already")
        }
        Some(_) | None => error,
    }
}
