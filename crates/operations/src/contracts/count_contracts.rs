//! [`CountContracts`]: how many contracts have each status.

use tradepost_domain::contracts::contract::{ContractStatus, ContractType};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::answers::every_status;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, StatusCount};

/// Asks for the number of contracts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountContracts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only contracts of this type.
    pub contract_type: Option<ContractType>,
}

impl Operations {
    /// Counts contracts: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_contracts(
        &self,
        caller: &Caller,
        command: CountContracts,
    ) -> OpResult<Vec<StatusCount<ContractStatus>>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let counted = self.ports.store.count_contracts(scope, command.contract_type).await?;
        Ok(every_status(ContractStatus::ALL, ContractStatus::code, &counted))
    }
}
