//! Reads of the counters of records by status.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::ContractId;
use tradepost_ports::record::{Kind, ONLY};
use tradepost_ports::store::{Counters, StoreResult};
use uuid::Uuid;

use crate::read::contracts::home;
use crate::rows::cell;
use crate::store::SqlStore;

const COUNTS: &str = "SELECT status, CAST(sum(n) AS bigint) FROM record_counts \
    WHERE workspace_id = $1 AND kind = $2 AND contract_id = $3 GROUP BY status ORDER BY status";

#[async_trait]
impl Counters for SqlStore {
    async fn by_status(
        &self,
        scope: WorkspaceScope,
        kind: Kind,
        contract: Option<ContractId>,
    ) -> StoreResult<Vec<(i16, i64)>> {
        let contract = Uuid::from_bytes(contract.map_or(ONLY, ContractId::to_bytes));
        let rows = self.rows(COUNTS, vec![home(scope), kind.code().into(), contract.into()]).await?;
        rows.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }
}
