//! [`GetContract`]: one contract of a workspace.

use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations, Versioned};

/// Asks for one contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
}

impl Operations {
    /// Gives one contract.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_contract(&self, caller: &Caller, command: GetContract) -> OpResult<Versioned<Contract>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let found = self.ports.store.find_contract(scope, command.contract_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("contract"))
    }
}
