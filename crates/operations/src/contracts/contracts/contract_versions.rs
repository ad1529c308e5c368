//! The versions of a contract's terms: kept with each change, and read.

use tradepost_domain::contracts::contract::{Contract, ContractVersion};
use tradepost_domain::id::{ContractId, ContractVersionId, OfContractVersion, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes, Revised};

use crate::commit::actor;
use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpError, OpResult, Operations, PageOf, fields};

/// A request for a page of the versions of a contract's terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListContractVersions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

/// A request for several versions of contracts' terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetContractVersions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The versions, 1 to 200.
    pub contract_version_ids: Vec<ContractVersionId>,
}

/// The response of [`Operations::get_contract_versions`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundContractVersions {
    /// The found versions, in the requested order, each once.
    pub versions: Vec<ContractVersion>,
    /// The ids that name no version of the workspace, in the order asked for.
    pub missing: Vec<ContractVersionId>,
}

impl Operations {
    /// Returns a page of the versions of a contract's terms, the newest first. A version is made with the contract, and with each change of
    /// its terms.
    ///
    /// # Errors
    /// `permission_denied`; `not_found` for the contract; `invalid_argument` for a negative limit or a cursor that this list did not give
    /// out.
    pub async fn list_contract_versions(
        &self,
        caller: &Caller,
        command: ListContractVersions,
    ) -> OpResult<PageOf<ContractVersionId>> {
        let scope = rules::LIST_CONTRACT_VERSIONS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("contract_versions", scope).and_id(Some(command.contract_id));
        let request = self.page_request::<OfContractVersion>(&key, command.limit, &command.cursor)?;
        if self.ports.store.contracts().find(scope, command.contract_id).await?.is_none() {
            return Err(OpError::not_found("contract"));
        }
        let page = self.to_show(caller, scope).contract_versions().list(scope, command.contract_id, request).await?;
        Ok(self.page(&key, page))
    }

    /// Returns several versions of contracts' terms in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_contract_versions(
        &self,
        caller: &Caller,
        command: GetContractVersions,
    ) -> OpResult<FoundContractVersions> {
        let scope = rules::GET_CONTRACT_VERSIONS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("contractVersionIds", &command.contract_version_ids)?;
        let found = self.ports.store.contract_versions().find_many(scope, &ids).await?;
        let found = found.into_iter().map(|version| version.into_display().0).collect();
        let (versions, missing) = in_order(ids, found, |version: &ContractVersion| version.id);
        Ok(FoundContractVersions { versions, missing })
    }
}

/// Keeps the terms that a contract has from now on.
pub(crate) fn keep_version(
    operations: &Operations,
    changes: &mut Changes,
    caller: &Caller,
    contract: &Revised<Contract>,
) {
    changes.insert(ContractVersion {
        id: operations.mint(),
        terms: contract.value.to_draft(),
        record_version: contract.version,
        made_by: actor(caller),
        made_at: contract.value.updated_at,
    });
}
