//! [`CloneContract`]: drafts a contract like another one.

use crate::contracts::contracts::create_contract::draft_contract;
use crate::contracts::filter_sets::named_filter_sets::name_filter_set;
use crate::contracts::pools::named_pools::name_pool;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::text::Name;
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Drafts a contract like another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloneContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract to copy, in whichever state.
    pub contract_id: ContractId,
    /// Name of the draft, 1 to 64 characters.
    pub name: String,
}

impl Operations {
    /// Drafts a contract with the terms of another one, except its name and its activity.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad name, `not_found` for the contract or for its filter set or pool, where
    /// that was never there, `failed_precondition` with `POOL_ARCHIVED`.
    pub async fn clone_contract(&self, caller: &Caller, command: CloneContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::CLONE_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        let name: Name = fields::text("name", &command.name)?;
        let at = self.market_now(command.workspace_id);
        let id = self.mint();
        self.in_turn(command.workspace_id, || async {
            let found = self.ports.store.contracts().find(scope, command.contract_id).await?;
            let original = found.ok_or_else(|| OpError::not_found("contract"))?;
            let mut changes = Changes::by(caller);
            let draft = changes.rely_on(original).copied(id, name.clone(), at);
            name_filter_set(self, &mut changes, scope, draft.filter_set_id).await?;
            name_pool(self, &mut changes, scope, draft.pool_id, at).await?;
            draft_contract(self, &mut changes, caller, &draft);
            self.commit(caller, changes).await?;
            Ok(Versioned::new(draft))
        })
        .await
    }
}
