//! Reads of the counters of records by status.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::ContractId;
use tradepost_ports::record::{Kind, ONLY, Tally};
use tradepost_ports::store::{Counters, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Counters for MemoryStore {
    async fn by_status(
        &self,
        scope: WorkspaceScope,
        kind: Kind,
        contract: Option<ContractId>,
    ) -> StoreResult<Vec<(i16, i64)>> {
        let workspace = scope.workspace_id().to_bytes();
        let contract = contract.map_or(ONLY, ContractId::to_bytes);
        let state = self.state();
        let wanted =
            state.tallies.iter().filter(|(tally, _)| **tally == Tally { kind, workspace, contract, ..**tally });
        Ok(wanted.map(|(tally, count)| (tally.status, *count)).collect())
    }
}
