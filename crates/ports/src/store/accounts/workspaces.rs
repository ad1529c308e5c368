//! Reads of workspaces, memberships and API keys.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::UserId;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Workspaces.
#[async_trait]
pub trait Workspaces: Send + Sync {
    /// Returns the workspace that was entered.
    async fn find(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<Workspace>>>;
    /// Returns the workspaces of which a user is an accepted member, the oldest first; deleted ones too, until they are removed.
    async fn list_own(&self, user: UserId) -> StoreResult<Vec<Seen<Workspace>>>;
}
