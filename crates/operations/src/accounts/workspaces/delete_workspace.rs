//! `DeleteWorkspace`: the owner ends a workspace. For 30 days it can be restored, without its keys.

use crate::accounts::memberships::membership_changes::revoke_key;
use crate::accounts::workspaces::whole_workspace::addresses_in;
use crate::accounts::workspaces::whole_workspace::mark_memberships;
use tradepost_domain::accounts::access::{Denied, NoEntry, WorkspaceScope};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::policy::Role;
use tradepost_domain::accounts::workspace::{DeletionError, Workspace};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::record::Kind;

use crate::accounts::memberships::membership_changes::Revocation;
use crate::mails::Notice;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The workspace to delete.
#[derive(Debug, Clone)]
pub struct DeleteWorkspace {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its name, typed once more.
    pub confirm_name: String,
}

impl Operations {
    /// Deletes a workspace: its keys are revoked and its memberships become inactive in one commit; its members are notified.
    ///
    /// # Errors
    /// `permission_denied` unless its owner calls in person; `failed_precondition` with `STEP_UP_REQUIRED`,
    /// `WORKSPACE_DELETED`, `NAME_MISMATCH` or `HAS_OPEN_PURCHASES`.
    pub async fn delete_workspace(&self, caller: &Caller, command: DeleteWorkspace) -> OpResult<Workspace> {
        let scope = enter_as_owner(caller, command.workspace_id)?;
        let confirmed: Name = fields::text("confirmName", &command.confirm_name)?;
        self.retrying(|| async {
            let at = self.now();
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::DELETE_WORKSPACE, &mut changes).await?;
            let found = self.ports.store.workspaces().find(scope).await?;
            let workspace = found.ok_or_else(|| OpError::not_found("workspace"))?;
            let deleted =
                changes.revise(workspace, |workspace| workspace.delete(&confirmed, at)).map_err(refusal)?.value;
            changes.audit(AuditKind::WorkspaceDeleted, deleted.id);
            self.require_no_open_purchases(scope).await?;
            self.revoke_every_key(caller, &mut changes, scope, at).await?;
            let members = mark_memberships(self, &mut changes, scope, true, at).await?;
            let concerned = addresses_in(self, caller, scope, &members).await?;
            self.send_notice(&mut changes, &concerned, &Notice::workspace_deleted(&deleted));
            self.commit(caller, changes).await?;
            Ok(deleted)
        })
        .await
    }

    async fn require_no_open_purchases(&self, scope: WorkspaceScope) -> OpResult<()> {
        let counts = self.ports.store.counters().by_status(scope, Kind::Purchase, None).await?;
        let is_open = |code: i16| PurchaseStatus::from_code(code).is_some_and(|status| !status.is_terminal());
        match counts.iter().filter(|(code, _)| is_open(*code)).map(|(_, count)| *count).sum::<i64>() {
            0 => Ok(()),
            open => {
                let message = format!("{open} purchases are in progress; wait until they are over, or end them");
                Err(OpError::failed_precondition(Reason::HasOpenPurchases, message))
            }
        }
    }

    async fn revoke_every_key(
        &self,
        caller: &Caller,
        changes: &mut Changes,
        scope: WorkspaceScope,
        at: Timestamp,
    ) -> OpResult<()> {
        let keys = self.ports.store.api_keys().list(scope, at).await?;
        for listed in keys.into_iter().filter(|listed| listed.key.peek().is_live(at)) {
            revoke_key(self, caller, changes, listed.key, Revocation::WorkspaceDeleted)?;
        }
        Ok(())
    }
}

/// Enters a workspace that the caller owns, in person.
pub(crate) fn enter_as_owner(caller: &Caller, workspace_id: WorkspaceId) -> Result<WorkspaceScope, NoEntry> {
    caller.principal.act_in_person()?;
    let access = caller.principal.access_to(workspace_id)?;
    if access.role == Role::Owner { caller.principal.enter_as_member(workspace_id) } else { Err(Denied.into()) }
}

/// Returns the error for a workspace that cannot be deleted or restored.
pub(crate) fn refusal(error: DeletionError) -> OpError {
    let reason = match error {
        DeletionError::NameMismatch => Reason::NameMismatch,
        DeletionError::Deleted | DeletionError::TooLate => Reason::WorkspaceDeleted,
        DeletionError::NotDeleted => Reason::WorkspaceNotDeleted,
    };
    OpError::failed_precondition(reason, error.to_string())
}
