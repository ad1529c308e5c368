//! `RestoreWorkspace`: the owner brings a deleted workspace back, with its members and without its keys.

use crate::accounts::workspaces::whole_workspace::addresses_in;
use crate::accounts::workspaces::whole_workspace::mark_memberships;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{Caller, Changes};

use super::delete_workspace::{enter_as_owner, refusal};
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations};

/// The workspace to restore.
#[derive(Debug, Clone, Copy)]
pub struct RestoreWorkspace {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Restores a workspace that was deleted less than 30 days ago. Its members have their former rights again; its keys stay revoked. Its
    /// members are notified.
    ///
    /// # Errors
    /// `permission_denied` unless its owner calls in person; `failed_precondition` with `WORKSPACE_NOT_DELETED`, or with
    /// `WORKSPACE_DELETED` when the 30 days are over.
    pub async fn restore_workspace(&self, caller: &Caller, command: RestoreWorkspace) -> OpResult<Workspace> {
        let entered = match enter_as_owner(caller, command.workspace_id) {
            Ok(scope) => Ok(scope),
            Err(_) => caller.principal.enter_deleted(command.workspace_id),
        };
        let scope = entered?;
        self.retrying(|| async {
            let at = self.now();
            let mut changes = Changes::by(caller);
            let found = self.ports.store.workspaces().find(scope).await?;
            let workspace = found.ok_or_else(|| OpError::not_found("workspace"))?;
            let restored = changes.revise(workspace, |workspace| workspace.restore(at)).map_err(refusal)?.value;
            changes.audit(AuditKind::WorkspaceRestored, restored.id);
            let members = mark_memberships(self, &mut changes, scope, false, at).await?;
            let concerned = addresses_in(self, caller, scope, &members).await?;
            self.send_notice(&mut changes, &concerned, &Notice::workspace_restored(&restored));
            self.commit(caller, changes).await?;
            Ok(restored)
        })
        .await
    }
}
