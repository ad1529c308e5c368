//! [`DeleteContract`]: ends a draft that was never activated.

use crate::contracts::contracts::contract_lifecycle::contract_as_seen;
use crate::contracts::filter_sets::named_filter_sets::forget_filter_set;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpResult, Operations, fields};

/// The draft to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract, a draft.
    pub contract_id: ContractId,
    /// The version that the caller saw, from 1; rejected when the contract has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deletes a draft.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is a draft.
    pub async fn delete_contract(&self, caller: &Caller, command: DeleteContract) -> OpResult<()> {
        let scope = rules::DELETE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let contract = contract_as_seen(self, scope, command.contract_id, command.expected_version).await?;
            contract.peek().check_deletable()?;
            let mut changes = Changes::by(caller);
            let deleted = changes.remove(contract);
            forget_filter_set(self, &mut changes, scope, deleted.filter_set_id).await?;
            changes.audit(AuditKind::ContractDeleted, &deleted);
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}
