//! Reads of the versions of contracts' terms.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::ContractVersion;
use tradepost_domain::id::{ContractId, ContractVersionId, OfContractVersion};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Versions of contracts' terms.
#[async_trait]
pub trait ContractVersions: Send + Sync {
    /// Returns several versions, in no order; missing ones are left out.
    async fn find_many(
        &self,
        scope: WorkspaceScope,
        ids: &[ContractVersionId],
    ) -> StoreResult<Vec<Seen<ContractVersion>>>;
    /// Returns versions of a contract.
    async fn list(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        page: PageRequest<OfContractVersion>,
    ) -> StoreResult<Page<OfContractVersion>>;
}
