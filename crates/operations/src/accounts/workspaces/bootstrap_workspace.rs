//! `BootstrapWorkspace`: a workspace made by the process itself, with its owner.

use tradepost_domain::accounts::access::{Denied, Principal};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::UserId;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{Description, Name};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};

use crate::commit::Step;
use crate::{OpError, OpResult, Operations};

/// The workspace to create, and its owner.
#[derive(Debug, Clone)]
pub struct BootstrapWorkspace {
    /// Its owner.
    pub owner_id: UserId,
    /// Its name.
    pub name: Name,
    /// The purpose of the workspace.
    pub description: Option<Description>,
    /// The currency of every amount in it, for ever.
    pub base_currency: Currency,
}

/// A workspace with its first membership.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BootstrappedWorkspace {
    /// The workspace.
    pub workspace: Workspace,
    /// The owner's membership.
    pub membership: Membership,
}

impl Operations {
    /// Founds a workspace.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `not_found` without such a user.
    pub async fn bootstrap_workspace(
        &self,
        caller: &Caller,
        command: BootstrapWorkspace,
    ) -> OpResult<BootstrappedWorkspace> {
        if caller.principal != Principal::System {
            return Err(Denied.into());
        }
        let owner = self.ports.store.users().find(command.owner_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let mut changes = Changes::by(caller);
        changes.rely_on(owner);
        found(self, caller, changes, command).await
    }
}

/// Founds a workspace once everything about its owner is settled.
pub(crate) async fn found(
    operations: &Operations,
    caller: &Caller,
    mut changes: Changes,
    command: BootstrapWorkspace,
) -> OpResult<BootstrappedWorkspace> {
    let at = operations.now();
    let workspace = Workspace {
        description: command.description,
        ..Workspace::found(operations.mint(), command.name, command.base_currency, at)
    };
    let membership = Membership::found(operations.mint(), workspace.id, command.owner_id, at);
    let step = Step {
        subject: Subject::Membership(membership.id),
        from: None,
        to: Status::Accepted.as_str(),
        version: 1,
        trigger: "found",
    };
    changes.insert(workspace.clone()).insert(membership.clone());
    changes.audit(AuditKind::WorkspaceCreated, workspace.id);
    changes.append(AppendedRow::Transition(operations.transition(caller, workspace.id, step, at)));
    operations.commit(caller, changes).await?;
    Ok(BootstrappedWorkspace { workspace, membership })
}
