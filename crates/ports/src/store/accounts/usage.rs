//! How much workspaces are used: counts that are only ever added to, beside every commit.

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
    /// What was called.
    pub operation: &'static str,
    /// How many calls.
    pub calls: Calls,
}

/// Which usage to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageQuery {
    /// The first minute.
    pub from: i64,
    /// The minute after the last.
    pub to: i64,
    /// How finely.
    pub granularity: Granularity,
    /// By what it is told apart.
    pub grouping: Grouping,
    /// Most points.
    pub limit: u32,
}

/// How much a workspace is used.
#[async_trait]
pub trait Usage: Send + Sync {
    /// Adds to what is counted, each minute, key and operation of a workspace named once.
    async fn add_usage(&self, counts: &[UsageCount]) -> StoreResult<()>;
    /// What was counted, by time, key and operation. Spans without a call are left out.
    async fn read_usage(&self, scope: WorkspaceScope, query: UsageQuery) -> StoreResult<Vec<UsagePoint>>;
    /// Forgets what was counted before this minute, at most so many counts at once; how many it were.
    async fn forget_usage(&self, before: i64, most: u32) -> StoreResult<u64>;
}
