//! The shared parts of operations on a whole workspace: its settings, the turn of operations that add to it, all its live memberships, and
//! the addresses of its members.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::workspace::{Settings, Workspace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::store::PageRequest;

use crate::{OpError, OpResult, Operations};

/// Returns the workspace, rewritten with the changes.
///
/// An operation that adds a limited record takes this turn before counting: of concurrent ones, one commits and the others count again.
pub(crate) async fn take_turn_in(
    operations: &Operations,
    scope: WorkspaceScope,
    changes: &mut Changes,
) -> OpResult<Workspace> {
    let workspace = operations.ports.store.workspaces().find(scope).await?;
    let workspace = workspace.ok_or_else(|| OpError::not_found("workspace"))?;
    Ok(changes.revise(workspace, Ok::<_, OpError>)?.value)
}

/// Returns the settings of the workspace, which the changes rely on.
pub(crate) async fn settings_of(
    operations: &Operations,
    scope: WorkspaceScope,
    changes: &mut Changes,
) -> OpResult<Settings> {
    let workspace = operations.ports.store.workspaces().find(scope).await?;
    Ok(changes.rely_on(workspace.ok_or_else(|| OpError::not_found("workspace"))?).settings)
}

/// Returns the invitations and memberships that are not over.
pub(crate) async fn live_memberships(
    operations: &Operations,
    scope: WorkspaceScope,
) -> OpResult<Vec<Seen<Membership>>> {
    let mut live = Vec::new();
    for status in Status::ALL.into_iter().filter(|status| !status.is_terminal()) {
        let mut before = None;
        loop {
            let request = PageRequest { before, limit: 200 };
            let page = operations.ports.store.memberships().list(scope, Some(status), request).await?;
            live.extend(operations.ports.store.memberships().find_many(scope, &page.ids).await?);
            before = page.ids.last().copied().filter(|_| page.more);
            if before.is_none() {
                break;
            }
        }
    }
    Ok(live)
}

/// Notes in every live membership whether the workspace is deleted. Rights are decided by the memberships, so every write that
/// was decided before is rejected from then on.
pub(crate) async fn mark_memberships(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    deleted: bool,
    at: Timestamp,
) -> OpResult<Vec<Membership>> {
    let mut marked = Vec::new();
    for seen in live_memberships(operations, scope).await? {
        let mark = |membership: Membership| Ok::<_, OpError>(membership.in_deleted_workspace(deleted, at));
        marked.push(changes.revise(seen, mark)?.value);
    }
    Ok(marked)
}

/// Returns the addresses at which to notify the accepted members of a workspace.
pub(crate) async fn addresses_in(
    operations: &Operations,
    caller: &Caller,
    scope: WorkspaceScope,
    members: &[Membership],
) -> OpResult<Vec<EmailAddress>> {
    let Ok(viewer) = caller.principal.act_in_person() else { return Ok(Vec::new()) };
    let accepted = members.iter().filter(|member| member.status() == Status::Accepted);
    let users: Vec<_> = accepted.filter_map(Membership::user_id).collect();
    let found = operations.ports.store.users().find_fellows(viewer, &[scope], &users).await?;
    Ok(found.into_iter().filter_map(|user| user.into_display().0.email).collect())
}
