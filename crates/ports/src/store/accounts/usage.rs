//! The usage of workspaces: counts that only grow, written separately from every commit.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::usage::{Calls, Granularity, Grouping, UsagePoint};
use tradepost_domain::id::{ApiKeyId, WorkspaceId};

use crate::store::StoreResult;

/// The calls of a workspace in one minute, by one key and of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageCount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The minute, in minutes since 1970.
    pub minute: i64,
    /// The key that called; absent for sessions.
    pub key_id: Option<ApiKeyId>,
    /// The called operation.
    pub operation: &'static str,
    /// The number of calls.
    pub calls: Calls,
}

/// The usage to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageQuery {
    /// The first minute.
    pub from: i64,
    /// The minute after the last.
    pub to: i64,
    /// The length of a span.
    pub granularity: Granularity,
    /// The key that separates its points.
    pub grouping: Grouping,
    /// The most points.
    pub limit: u32,
}

/// The usage of workspaces.
#[async_trait]
pub trait Usage: Send + Sync {
    /// Adds to the counts. The caller names each minute, key and operation of a workspace once.
    async fn add(&self, counts: &[UsageCount]) -> StoreResult<()>;
    /// Returns the counts, by time, key and operation. Spans without a call are left out.
    async fn read(&self, scope: WorkspaceScope, query: UsageQuery) -> StoreResult<Vec<UsagePoint>>;
    /// Deletes counts before this minute, at most `most` at once. Returns their number.
    async fn forget(&self, before: i64, most: u32) -> StoreResult<u64>;
}
