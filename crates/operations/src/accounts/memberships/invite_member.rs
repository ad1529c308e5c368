//! `InviteMember`: offers a person a place in a workspace.

use crate::accounts::workspaces::whole_workspace::take_turn_in;
use crate::mails::invitation_mail;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::{MOST_MEMBERS, Membership, Offer, OfferError, Status};
use tradepost_domain::accounts::policy::{PolicySet, Role};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::record::Kind;
use tradepost_ports::secrets::TokenKind;
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::Step;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The address to invite, with its role and policies.
#[derive(Debug, Clone)]
pub struct InviteMember {
    /// Into which workspace.
    pub workspace_id: WorkspaceId,
    /// The address to invite.
    pub email: String,
    /// The role offered.
    pub role: Role,
    /// The names of the policies offered.
    pub policies: Vec<String>,
}

impl Operations {
    /// Invites an address; the mail explains how to accept. Whether the address has an account here is not revealed.
    ///
    /// # Errors
    /// `permission_denied` when more is offered than the caller holds; `already_exists` for a member or a pending
    /// invitation; `failed_precondition` with `STEP_UP_REQUIRED` or `MEMBER_LIMIT`;
    /// `resource_exhausted` after too many mails to the address.
    pub async fn invite_member(&self, caller: &Caller, command: InviteMember) -> OpResult<Membership> {
        let scope = rules::INVITE_MEMBER.enter(&caller.principal, command.workspace_id)?;
        let invitee = fields::email("email", &command.email)?;
        let offer = Offer { invitee, role: command.role, policies: fields::policies(&command.policies)? };
        let (role, rights) = access(&caller.principal, command.workspace_id);
        offer.check(role, rights).map_err(refusal)?;
        let mut changes = Changes::by(caller);
        self.require_step_up_in(caller, scope, rules::INVITE_MEMBER, &mut changes).await?;
        self.charge_mail_to(&offer.invitee).await?;
        self.retrying(|| self.offer(caller, scope, &offer, changes.clone())).await
    }

    /// Makes the offer, once everything about the caller is settled.
    async fn offer(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        offer: &Offer,
        mut changes: Changes,
    ) -> OpResult<Membership> {
        let at = self.now();
        let workspace = take_turn_in(self, scope, &mut changes).await?;
        self.check_room(scope, offer).await?;
        let issued = self.ports.secrets.issue(TokenKind::Invitation);
        let invitation = Membership::invite(self.mint(), workspace.id, offer.clone(), at).with_token(issued.digest);
        let step = Step {
            subject: Subject::Membership(invitation.id),
            from: None,
            to: Status::Invited.as_str(),
            version: 1,
            trigger: "invite",
        };
        changes.insert(invitation.clone()).append(AppendedRow::Transition(self.transition(
            caller,
            invitation.workspace_id,
            step,
            at,
        )));
        changes.audit(AuditKind::MembershipInvited, &invitation);
        post_invitation(self, &mut changes, &invitation, workspace.name.as_str(), &issued.secret);
        self.commit(caller, changes).await.map_err(already_invited)?;
        Ok(invitation)
    }

    /// Rejects members and full workspaces.
    async fn check_room(&self, scope: WorkspaceScope, offer: &Offer) -> OpResult<()> {
        if let Some(user) = self.ports.store.users().find_by_email(&offer.invitee).await?
            && self.ports.store.memberships().find_member(scope, user.peek().id).await?.is_some()
        {
            return Err(OpError::already_exists(Reason::AlreadyMember, "this person is a member already"));
        }
        let counts = self.ports.store.counters().by_status(scope, Kind::Membership, None).await?;
        let live = |code: i16| Status::from_code(code).is_some_and(|status| !status.is_terminal());
        let members: i64 = counts.iter().filter(|(code, _)| live(*code)).map(|(_, count)| *count).sum();
        if members >= MOST_MEMBERS {
            let message = format!("a workspace has at most {MOST_MEMBERS} members and invitations");
            return Err(OpError::failed_precondition(Reason::MemberLimit, message));
        }
        Ok(())
    }
}

/// Mails an invitation, the first time or again.
pub(crate) fn post_invitation(
    operations: &Operations,
    changes: &mut Changes,
    invited: &Membership,
    workspace: &str,
    token: &SecretString,
) {
    if let Some(to) = &invited.invitee {
        operations
            .post(changes, invitation_mail(operations, to, workspace, &invited.id.to_string(), token.expose_secret()));
    }
}

/// Returns the role and rights from which an offer is made. The process itself offers as the owner would.
pub(crate) fn access(principal: &Principal, workspace_id: WorkspaceId) -> (Role, PolicySet) {
    match principal {
        Principal::System => (Role::Owner, PolicySet::OPERATIONAL),
        Principal::Key(_) | Principal::Session(_) | Principal::Person(_) | Principal::Anonymous => principal
            .access_to(workspace_id)
            .map_or((Role::Member, PolicySet::NONE), |access| (access.role, access.rights)),
    }
}

pub(crate) fn refusal(error: OfferError) -> OpError {
    let reason = match error {
        OfferError::Owner | OfferError::Identity => {
            return OpError::invalid_argument(Reason::InvalidOffer, error.to_string());
        }
        OfferError::AdminByOther => Reason::RoleExceedsCaller,
        OfferError::ExceedsMaker => Reason::PoliciesExceedCaller,
    };
    OpError::permission_denied(reason, error.to_string())
}

fn already_invited(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::LiveInvitation)) => {
            OpError::already_exists(Reason::AlreadyInvited, "this address has a pending invitation already")
        }
        Some(_) | None => error,
    }
}
