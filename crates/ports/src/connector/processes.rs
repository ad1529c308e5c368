//! The processes that trade by records on one database.

use std::time::Duration;

use async_trait::async_trait;
use tradepost_domain::markets::desk::ProcessId;

use crate::store::StoreResult;

/// How long a process may be silent before others trade for its workspaces. It calls [`TradingProcesses::beat`] three times as often at least.
pub const SILENCE: Duration = Duration::from_secs(6);

/// The processes that trade by records on one database, as each reports that it is alive.
#[async_trait]
pub trait TradingProcesses: Send + Sync {
    /// Records that a process is alive. Returns the others that were heard of within [`SILENCE`].
    ///
    /// # Errors
    /// [`StoreError`](crate::store::StoreError) when the database cannot be reached.
    async fn beat(&self, process: ProcessId) -> StoreResult<Vec<ProcessId>>;

    /// Removes a process that ends, so that others trade for its workspaces at once.
    ///
    /// # Errors
    /// [`StoreError`](crate::store::StoreError) when the database cannot be reached.
    async fn leave(&self, process: ProcessId) -> StoreResult<()>;
}
