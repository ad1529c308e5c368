//! Reads of contracts.

use tradepost_domain::contracts::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::id::{ContractId, OfContract, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::ContractFilter;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetContract {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
}

/// A request for several contracts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetContracts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contracts, 1 to 200.
    pub contract_ids: Vec<ContractId>,
}

/// A request for a page of contracts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListContracts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only contracts of this type.
    pub contract_type: Option<ContractType>,
    /// Only contracts in this status.
    pub status: Option<ContractStatus>,
}

/// A request for the number of contracts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountContracts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only contracts of this type.
    pub contract_type: Option<ContractType>,
}

impl Operations {
    /// Returns one contract.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_contract(&self, caller: &Caller, command: GetContract) -> OpResult<Versioned<Contract>> {
        let scope = rules::GET_CONTRACT.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.contracts().find(scope, command.contract_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("contract"))
    }

    /// Returns several contracts in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_contracts(&self, caller: &Caller, command: GetContracts) -> OpResult<Batch<Contract, OfContract>> {
        let scope = rules::GET_CONTRACTS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("contractIds", &command.contract_ids)?;
        let found = self.ports.store.contracts().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of contracts, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_contracts(&self, caller: &Caller, command: ListContracts) -> OpResult<PageOf<ContractId>> {
        let scope = rules::LIST_CONTRACTS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("contracts", scope)
            .and_code(command.contract_type.map(ContractType::code))
            .and_code(command.status.map(ContractStatus::code));
        let request = self.page_request::<OfContract>(&key, command.limit, &command.cursor)?;
        let filter = ContractFilter { contract_type: command.contract_type, status: command.status };
        let page = self.to_show(caller, scope).contracts().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts contracts: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_contracts(
        &self,
        caller: &Caller,
        command: CountContracts,
    ) -> OpResult<Vec<StatusCount<ContractStatus>>> {
        let scope = rules::COUNT_CONTRACTS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).contracts().count(scope, command.contract_type).await?;
        Ok(every_status(ContractStatus::ALL, ContractStatus::code, &counted))
    }
}
