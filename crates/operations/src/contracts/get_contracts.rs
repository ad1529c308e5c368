//! [`GetContracts`]: up to 200 contracts of a workspace at once.

use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::id::{ContractId, OfContract, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpResult, Operations, fields};

/// Asks for several contracts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetContracts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contracts, 1 to 200.
    pub contract_ids: Vec<ContractId>,
}

impl Operations {
    /// Gives several contracts in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_contracts(&self, caller: &Caller, command: GetContracts) -> OpResult<Batch<Contract, OfContract>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("contractIds", &command.contract_ids)?;
        let found = self.ports.store.find_contracts(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
