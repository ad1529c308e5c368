//! The authenticator app or passkey that a workspace can require of its members: no user joins without one, and no member removes the last
//! one.
//!
//! An operation that removes the last one rewrites the user. An operation that adds a member or makes the workspace stricter relies on the
//! user. Of two at the same time, one fails with a conflict.

use crate::accounts::workspaces::whole_workspace::live_memberships;
use crate::accounts::workspaces::whole_workspace::settings_of;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::id::{PasskeyId, UserId, WorkspaceId};
use tradepost_ports::changes::{Changes, Seen};

use crate::accounts::memberships::membership_changes::notification_scope;
use crate::{OpError, OpResult, Operations, Reason};

/// A factor that is taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StrongFactor {
    App,
    Passkey(PasskeyId),
}

/// Rejects a user without an app or passkey, where the workspace requires one.
///
/// # Errors
/// `failed_precondition` with `TWO_FACTOR_REQUIRED`.
pub(crate) async fn require_strong_factor(
    operations: &Operations,
    workspace_id: WorkspaceId,
    user_id: UserId,
    changes: &mut Changes,
) -> OpResult<()> {
    if !settings_of(operations, notification_scope(workspace_id)?, changes).await?.require_two_factor {
        return Ok(());
    }
    let user = operations.ports.store.users().find(user_id).await?;
    changes.rely_on(user.ok_or_else(|| OpError::not_found("user"))?);
    if operations.ports.store.second_factors().find_all(user_id).await?.has_strong() {
        return Ok(());
    }
    let message = "this workspace asks its members for an authenticator app or a passkey; add one first";
    Err(OpError::failed_precondition(Reason::TwoFactorRequired, message))
}

/// Rejects requiring an app or passkey while accepted members have neither.
///
/// # Errors
/// `failed_precondition` with `MEMBERS_WITHOUT_TWO_FACTOR`.
pub(crate) async fn require_factors_of_members(
    operations: &Operations,
    scope: WorkspaceScope,
    changes: &mut Changes,
) -> OpResult<()> {
    let memberships = live_memberships(operations, scope).await?;
    let memberships: Vec<Membership> = memberships.into_iter().map(|seen| changes.rely_on(seen)).collect();
    let accepted = memberships.iter().filter(|membership| membership.status() == Status::Accepted);
    let users: Vec<UserId> = accepted.filter_map(Membership::user_id).collect();
    for user in operations.ports.store.users().find_many(&users).await? {
        changes.rely_on(user);
    }
    match operations.ports.store.memberships().count_without_strong_factor(scope).await? {
        0 => Ok(()),
        without => {
            let message = format!(
                "members who have neither an authenticator app nor a passkey: {without}; they add one first, or go"
            );
            Err(OpError::failed_precondition(Reason::MembersWithoutTwoFactor, message))
        }
    }
}

/// Makes the changes rely on another app or passkey that stays; where none does, on every workspace of the user to ask for
/// none.
///
/// # Errors
/// `failed_precondition` with `REQUIRED_BY_WORKSPACE`.
pub(crate) async fn rely_on_another_strong_factor(
    operations: &Operations,
    user_id: UserId,
    removed: StrongFactor,
    changes: &mut Changes,
) -> OpResult<()> {
    if removed != StrongFactor::App
        && let Some(app) = operations.ports.store.second_factors().find_totp(user_id).await?
    {
        changes.rely_on(app);
        return Ok(());
    }
    let stays = |seen: &Seen<Passkey>| removed != StrongFactor::Passkey(seen.peek().id) && seen.peek().is_usable();
    if let Some(passkey) = operations.ports.store.passkeys().list(user_id).await?.into_iter().find(stays) {
        changes.rely_on(passkey);
        return Ok(());
    }
    for workspace in operations.ports.store.workspaces().list_own(user_id).await? {
        let workspace = changes.rely_on(workspace);
        if workspace.settings.require_two_factor {
            let message = format!(
                "the workspace \"{}\" asks its members for an authenticator app or a passkey; add another one, or leave it first",
                workspace.name
            );
            return Err(OpError::failed_precondition(Reason::RequiredByWorkspace, message));
        }
    }
    let user = operations.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
    changes.revise(user, Ok::<_, OpError>).map(drop)
}
