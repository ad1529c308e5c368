//! [`DeleteFilterSet`]: ends a filter set that no contract names.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{FilterSetId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpError, OpResult, Operations};

/// The filter set to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteFilterSet {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The filter set.
    pub filter_set_id: FilterSetId,
}

impl Operations {
    /// Deletes a filter set that no contract names.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `FILTER_SET_IN_USE`.
    pub async fn delete_filter_set(&self, caller: &Caller, command: DeleteFilterSet) -> OpResult<()> {
        let scope = rules::DELETE_FILTER_SET.enter(&caller.principal, command.workspace_id)?;
        self.retrying(|| async {
            let found = self.ports.store.filter_sets().find(scope, command.filter_set_id).await?;
            let set = found.ok_or_else(|| OpError::not_found("filter set"))?;
            set.peek().check_unused()?;
            let mut changes = Changes::by(caller);
            let deleted = changes.remove(set);
            changes.audit(AuditKind::FilterSetDeleted, &deleted);
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}
