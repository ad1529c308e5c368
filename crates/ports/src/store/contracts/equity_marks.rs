//! Reads of daily marks of equity.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::contracts::equity::EquityMark;
use tradepost_domain::id::WorkspaceId;

use crate::changes::Seen;
use crate::store::{StoreResult, Worlds};

/// The workspaces whose mark of a day is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnmarkedQuery {
    /// The workspaces that share the time in which the day ended.
    pub worlds: Worlds,
    /// The day of UTC, counted from 1970-01-01.
    pub day: i64,
    /// Only workspaces behind this one.
    pub after: Option<WorkspaceId>,
    /// The most workspaces.
    pub most: u32,
}

/// Daily marks of equity. Each is inserted once and never changes.
#[async_trait]
pub trait EquityMarks: Send + Sync {
    /// Returns the marks of days, counted from 1970-01-01, from one on and before another, in order.
    async fn list(&self, scope: WorkspaceScope, from_day: i64, to_day: i64) -> StoreResult<Vec<EquityMark>>;
    /// Returns workspaces that have no mark of a day, in the order of their ids, for the process that takes marks. Those in which no
    /// pool was opened and no money was moved before the day ended need none, and neither do those that are deleted.
    async fn list_unmarked(&self, query: UnmarkedQuery) -> StoreResult<Vec<Seen<Workspace>>>;
}
