//! The shared parts of the operations on memberships: which members a caller may govern, a step with its entry in the log, the end of a
//! member's keys, and the addresses to notify.

use crate::accounts::workspaces::whole_workspace::live_memberships;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::api_key::{ApiKey, KeyStatus};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::{Event, GovernError, Governor, Membership, MembershipError, Status};
use tradepost_domain::accounts::policy::{PolicySet, Role};
use tradepost_domain::id::{MembershipId, UserId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_domain::transition::{Actor, Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Revised, Seen};

use super::invite_member;
use crate::commit::Step;
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations, Reason};

/// A step of a membership, for the log.
#[derive(Clone, Copy)]
pub(crate) struct MembershipStep<'a> {
    /// The membership after the step.
    pub(crate) revised: &'a Revised<Membership>,
    /// Its status before the step.
    pub(crate) from: Status,
    pub(crate) trigger: &'static str,
}

/// The cause of the revocation of a key.
#[derive(Clone, Copy)]
pub(crate) enum Revocation<'a> {
    /// A caller requests it, and may give a reason.
    Requested(Option<&'a ReasonText>),
    /// The membership of the owner has ended.
    OwnerLeft,
    /// The token was published.
    Leaked,
    /// The workspace is deleted.
    WorkspaceDeleted,
}

impl<'a> Revocation<'a> {
    const fn trigger(self) -> &'static str {
        match self {
            Self::Requested(_) => "revoke",
            Self::OwnerLeft => "owner_left",
            Self::Leaked => "leaked",
            Self::WorkspaceDeleted => "workspace_deleted",
        }
    }

    const fn reason(self) -> Option<&'a ReasonText> {
        match self {
            Self::Requested(reason) => reason,
            Self::OwnerLeft | Self::Leaked | Self::WorkspaceDeleted => None,
        }
    }
}

/// Returns the rights with which a caller governs.
pub(crate) fn governor(principal: &Principal, workspace_id: WorkspaceId) -> Governor {
    let (role, rights) = invite_member::access(principal, workspace_id);
    Governor { role, rights }
}

/// Returns the error for a membership that the caller cannot govern this way.
pub(crate) fn refusal(error: GovernError) -> OpError {
    match error {
        GovernError::AboveGovernor => OpError::permission_denied(Reason::RoleExceedsCaller, error.to_string()),
        GovernError::LastOwner => OpError::failed_precondition(Reason::LastOwner, error.to_string()),
        GovernError::NotMember => OpError::failed_precondition(Reason::MembershipNotAccepted, error.to_string()),
        GovernError::Grant(error) => invite_member::refusal(error),
    }
}

/// Returns a membership of the workspace that is within the caller's reach.
pub(crate) async fn find_governed(
    operations: &Operations,
    caller: &Caller,
    scope: WorkspaceScope,
    id: MembershipId,
) -> OpResult<Seen<Membership>> {
    let found = operations.ports.store.memberships().find(scope, id).await?;
    let found = found.ok_or_else(|| OpError::not_found("membership"))?;
    governor(&caller.principal, found.peek().workspace_id).reaches(found.peek()).map_err(refusal)?;
    Ok(found)
}

/// Returns the caller's own invitation or membership, in any workspace.
pub(crate) async fn find_own(
    operations: &Operations,
    changes: &mut Changes,
    user_id: UserId,
    id: MembershipId,
) -> OpResult<Seen<Membership>> {
    let user = operations.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
    let user = changes.rely_on(user);
    let found = operations.ports.store.memberships().find_own(&user, id).await?;
    found.ok_or_else(|| OpError::not_found("membership"))
}

/// Lets an event happen to a membership, with its entry in the log.
pub(crate) fn step_membership(
    operations: &Operations,
    caller: &Caller,
    changes: &mut Changes,
    seen: Seen<Membership>,
    event: Event,
) -> OpResult<Revised<Membership>> {
    let at = operations.now();
    let from = seen.peek().status();
    let stepped = changes.revise(seen, |membership| membership.apply(event, at)).map_err(step_refusal)?;
    let step = MembershipStep { revised: &stepped, from, trigger: event.as_str() };
    log_membership(operations, caller, changes, step);
    changes.audit(audited_as(event), &stepped.value);
    Ok(stepped)
}

/// Records a step of a membership and its former status.
pub(crate) fn log_membership(
    operations: &Operations,
    caller: &Caller,
    changes: &mut Changes,
    step: MembershipStep<'_>,
) {
    let MembershipStep { revised, from, trigger } = step;
    let membership = &revised.value;
    let step = Step {
        subject: Subject::Membership(membership.id),
        from: Some(from.as_str()),
        to: membership.status().as_str(),
        version: revised.version,
        trigger,
    };
    let transition = operations.transition(caller, membership.workspace_id, step, membership.updated_at);
    changes.append(AppendedRow::Transition(transition));
}

/// Revokes the live keys of a membership that ends, in the same changes.
pub(crate) async fn revoke_keys_of(
    operations: &Operations,
    caller: &Caller,
    changes: &mut Changes,
    ended: &Membership,
) -> OpResult<Vec<ApiKey>> {
    let keys = operations.ports.store.api_keys().list_of_member(ended, ended.updated_at).await?;
    keys.into_iter().map(|key| revoke_key(operations, caller, changes, key, Revocation::OwnerLeft)).collect()
}

/// Revokes a key, with its entry in the log and the reason if one is given.
pub(crate) fn revoke_key(
    operations: &Operations,
    caller: &Caller,
    changes: &mut Changes,
    key: Seen<ApiKey>,
    revocation: Revocation<'_>,
) -> OpResult<ApiKey> {
    let (trigger, reason) = (revocation.trigger(), revocation.reason());
    let at = operations.now();
    let revoked = changes
        .revise(key, |key| key.revoke(at))
        .map_err(|error| OpError::failed_precondition(Reason::ApiKeyRevoked, error.to_string()))?;
    let step = Step {
        subject: Subject::ApiKey(revoked.value.id),
        from: Some(KeyStatus::Live.as_str()),
        to: KeyStatus::Revoked.as_str(),
        version: revoked.version,
        trigger,
    };
    let transition = operations.transition(caller, revoked.value.workspace_id, step, at);
    let said = reason.cloned().map(ReasonText::widened);
    changes.append(AppendedRow::Transition(Transition { reason: said, ..transition }));
    let about = About::from(&revoked.value).with(Fact::Cause, trigger);
    let about = reason.into_iter().fold(about, |about, reason| about.with(Fact::Reason, reason));
    changes.audit(AuditKind::ApiKeyRevoked, about);
    Ok(revoked.value)
}

/// Returns the inviter of a membership from the log of its steps; `None` when the process itself invited.
pub(crate) async fn inviter_of(operations: &Operations, membership: &Membership) -> OpResult<Option<UserId>> {
    let (scope, subject) = (notification_scope(membership.workspace_id)?, Subject::Membership(membership.id));
    let first = operations.ports.store.transitions().list_of(scope, subject, 1).await?.pop();
    Ok(first.and_then(|step| match step.actor {
        Actor::User(user) | Actor::ApiKey { user, .. } => Some(user),
        Actor::System => None,
    }))
}

/// Notifies owner and admins of a workspace, except the member, that a membership ended with these keys.
pub(crate) async fn notify_departure(
    operations: &Operations,
    changes: &mut Changes,
    ended: &Membership,
    keys: &[ApiKey],
    notice: fn(&str, &str, &[ApiKey]) -> Notice,
) -> OpResult<()> {
    let Some(user_id) = ended.user_id() else { return Ok(()) };
    let member = operations.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
    let (member, _) = member.into_display();
    let workspace = workspace_name(operations, ended.workspace_id).await?;
    let managers = addresses_of_managers(operations, ended.workspace_id).await?;
    let others = managers.iter().filter(|to| Some(*to) != member.email.as_ref());
    operations.send_notice(changes, others, &notice(&workspace, member.display_name.as_str(), keys));
    Ok(())
}

/// Returns the name of a workspace, for a notice to a user who knows it already.
pub(crate) async fn workspace_name(operations: &Operations, id: WorkspaceId) -> OpResult<String> {
    let found = operations.ports.store.workspaces().find(notification_scope(id)?).await?;
    let found = found.ok_or_else(|| OpError::not_found("workspace"))?;
    Ok(found.into_display().0.name.to_string())
}

/// Returns the addresses at which to notify a user; none without a verified address.
pub(crate) async fn addresses_of_user(operations: &Operations, user: Option<UserId>) -> OpResult<Vec<EmailAddress>> {
    let Some(user) = user else { return Ok(Vec::new()) };
    let found = operations.ports.store.users().find(user).await?;
    Ok(found.and_then(|user| user.into_display().0.email).into_iter().collect())
}

/// Returns the addresses at which to notify owner and admins of a workspace.
pub(crate) async fn addresses_of_managers(operations: &Operations, id: WorkspaceId) -> OpResult<Vec<EmailAddress>> {
    let members = live_memberships(operations, notification_scope(id)?).await?;
    let accepted = members.iter().map(Seen::peek).filter(|member| member.status() == Status::Accepted);
    let managers = accepted.filter(|member| member.role != Role::Member);
    let managers: Vec<UserId> = managers.filter_map(Membership::user_id).collect();
    let mut managers = operations.ports.store.users().find_many(&managers).await?;
    managers.sort_by_key(|user| user.peek().id);
    Ok(managers.into_iter().filter_map(|user| user.into_display().0.email).collect())
}

/// Returns the scope in which the process itself looks up the addresses to notify or the requirements of a workspace. The caller learns
/// nothing else from it.
pub(crate) fn notification_scope(workspace_id: WorkspaceId) -> OpResult<WorkspaceScope> {
    Ok(Principal::System.enter(workspace_id, PolicySet::NONE)?)
}

const fn audited_as(event: Event) -> AuditKind {
    match event {
        Event::Accept { .. } => AuditKind::MembershipAccepted,
        Event::Decline => AuditKind::MembershipDeclined,
        Event::RevokeInvitation => AuditKind::MembershipRevoked,
        Event::Expire => AuditKind::MembershipExpired,
        Event::Suspend => AuditKind::MembershipSuspended,
        Event::Reinstate => AuditKind::MembershipReinstated,
        Event::Remove => AuditKind::MembershipRemoved,
        Event::Leave => AuditKind::MembershipLeft,
        Event::Dissolve => AuditKind::MembershipDissolved,
    }
}

fn step_refusal(error: MembershipError) -> OpError {
    let reason = match error {
        MembershipError::Owner => Reason::LastOwner,
        MembershipError::WorkspaceDeleted => Reason::WorkspaceDeleted,
        MembershipError::InvitationExpired(_) => Reason::InvitationExpired,
        MembershipError::NotExpired(_) => Reason::MembershipNotPending,
        MembershipError::Illegal { event, .. } => match event {
            Event::Accept { .. } | Event::Decline | Event::RevokeInvitation | Event::Expire => {
                Reason::MembershipNotPending
            }
            Event::Reinstate => Reason::MembershipNotSuspended,
            Event::Suspend | Event::Remove | Event::Leave | Event::Dissolve => Reason::MembershipNotAccepted,
        },
    };
    OpError::failed_precondition(reason, error.to_string())
}
