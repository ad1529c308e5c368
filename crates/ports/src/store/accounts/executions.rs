//! Reads of calls under an idempotency key.

use async_trait::async_trait;
use tradepost_domain::id::ExecutionId;
use tradepost_domain::idempotency::Execution;
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Calls that were carried out under an idempotency key. Not of any workspace.
#[async_trait]
pub trait Executions: Send + Sync {
    /// The call that was carried out under a key.
    async fn find_execution(&self, id: ExecutionId) -> StoreResult<Option<Seen<Execution>>>;
    /// Forgets keys that stand for their call no longer, with their answers: at most so many, the oldest first; how many they were.
    async fn forget_executions(&self, at: Timestamp, most: u32) -> StoreResult<u64>;
    /// Forgets answers that are kept no longer, and keeps their keys: at most so many, the oldest first; how many they were.
    async fn forget_answers(&self, at: Timestamp, most: u32) -> StoreResult<u64>;
}
