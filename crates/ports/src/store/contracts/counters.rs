//! Reads of the counters of records by status.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::ContractId;

use crate::record::Kind;
use crate::store::StoreResult;

/// The number of records in each status, kept with the records.
#[async_trait]
pub trait Counters: Send + Sync {
    /// Returns the counters of a kind by the status's stored number, for the workspace or one of its contracts; zeros may be left out.
    async fn by_status(
        &self,
        scope: WorkspaceScope,
        kind: Kind,
        contract: Option<ContractId>,
    ) -> StoreResult<Vec<(i16, i64)>>;
}
