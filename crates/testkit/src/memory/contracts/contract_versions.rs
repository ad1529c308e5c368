//! Reads of the versions of contracts' terms.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::ContractVersion;
use tradepost_domain::id::{ContractId, ContractVersionId, OfContractVersion};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ContractVersions, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl ContractVersions for MemoryStore {
    async fn find_many(
        &self,
        scope: WorkspaceScope,
        ids: &[ContractVersionId],
    ) -> StoreResult<Vec<Seen<ContractVersion>>> {
        Ok(self.state().several(scope.workspace_id(), |version: &ContractVersion| ids.contains(&version.id)))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        page: PageRequest<OfContractVersion>,
    ) -> StoreResult<Page<OfContractVersion>> {
        let is_of_it = |version: &ContractVersion| version.terms.id == contract;
        Ok(self.state().page(scope.workspace_id(), &page, is_of_it))
    }
}
