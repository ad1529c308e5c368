//! [`ListContracts`]: identifiers of contracts, the newest first.

use tradepost_domain::contracts::contract::{ContractStatus, ContractType};
use tradepost_domain::id::{ContractId, OfContract, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::ContractFilter;

use crate::paging::ListKey;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, PageOf};

/// Asks for a page of contracts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListContracts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only contracts of this type.
    pub contract_type: Option<ContractType>,
    /// Only contracts in this status.
    pub status: Option<ContractStatus>,
}

impl Operations {
    /// Gives a page of contracts, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_contracts(&self, caller: &Caller, command: ListContracts) -> OpResult<PageOf<ContractId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let key = ListKey::of("contracts", scope)
            .and_code(command.contract_type.map(ContractType::code))
            .and_code(command.status.map(ContractStatus::code));
        let request = self.page_request::<OfContract>(&key, command.limit, &command.cursor)?;
        let filter = ContractFilter { contract_type: command.contract_type, status: command.status };
        let page = self.ports.store.list_contracts(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
