//! [`DeleteAccountGroup`]: ends a group that no assignment names.

use crate::trading::trading_accounts::account_moves::account_group_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::assignment::Assignee;
use tradepost_domain::id::{AccountGroupId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpResult, Operations, fields};

/// The group to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteAccountGroup {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The group.
    pub account_group_id: AccountGroupId,
    /// The version that the caller saw, from 1; rejected when the group has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deletes a group that no assignment names. Its accounts stay.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ACCOUNT_GROUP_IN_USE`.
    pub async fn delete_account_group(&self, caller: &Caller, command: DeleteAccountGroup) -> OpResult<()> {
        let scope = rules::DELETE_ACCOUNT_GROUP.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let assignee = Assignee::Group(command.account_group_id);
        self.retrying(|| async {
            let group = account_group_as_seen(self, scope, command.account_group_id, command.expected_version).await?;
            // Read after the group, because a later assignment that names it gives it another version.
            let assignments = self.ports.store.assignments().count_of(scope, assignee).await?;
            group.peek().check_unused(u32::try_from(assignments).unwrap_or(u32::MAX))?;
            let mut changes = Changes::by(caller);
            let deleted = changes.remove(group);
            changes.audit(AuditKind::AccountGroupDeleted, &deleted);
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}
