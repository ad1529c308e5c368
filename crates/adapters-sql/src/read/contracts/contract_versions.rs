//! Reads of the versions of contracts' terms.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::ContractVersion;
use tradepost_domain::id::{ContractId, ContractVersionId, OfContractVersion};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ContractVersions, Page, PageRequest, StoreResult};

use crate::read::contracts::home;
use crate::rows::uuid;
use crate::store::SqlStore;

#[async_trait]
impl ContractVersions for SqlStore {
    async fn find_many(
        &self,
        scope: WorkspaceScope,
        ids: &[ContractVersionId],
    ) -> StoreResult<Vec<Seen<ContractVersion>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        page: PageRequest<OfContractVersion>,
    ) -> StoreResult<Page<OfContractVersion>> {
        let equal = vec![("workspace_id", home(scope)), ("contract_id", uuid(contract).into())];
        self.page("contract_versions", equal, page).await
    }
}
