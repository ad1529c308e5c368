//! Reads of calls under an idempotency key.

use async_trait::async_trait;
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::Execution;
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Calls that were executed under an idempotency key. Not of any workspace.
#[async_trait]
pub trait Executions: Send + Sync {
    /// Returns the call that was executed under a key.
    async fn find(&self, id: ExecutionId) -> StoreResult<Option<Seen<Execution>>>;
    /// Deletes keys that have expired, with their answers: at most `most`, the oldest first. Returns their number.
    async fn forget(&self, at: Timestamp, most: u32) -> StoreResult<u64>;
    /// Deletes answers whose retention has ended, and keeps their keys: at most `most`, the oldest first. Returns their number.
    async fn forget_answers(&self, at: Timestamp, most: u32) -> StoreResult<u64>;
}
