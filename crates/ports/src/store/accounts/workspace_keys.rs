//! Reads of the data keys of workspaces, and of the secrets that are sealed under them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::WorkspaceKey;
use tradepost_domain::id::WorkspaceKeyId;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Data keys of workspaces.
#[async_trait]
pub trait WorkspaceKeys: Send + Sync {
    /// Returns the keys of the workspace, in the order of their numbers.
    async fn list(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
    /// Returns keys that are not destroyed, of any workspace and of the installation itself, in the order of their ids.
    async fn list_all(&self, after: Option<WorkspaceKeyId>, most: u32) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
    /// Returns retired keys that still seal secrets, of any workspace, in the order of their ids.
    async fn list_retired_in_use(
        &self,
        after: Option<WorkspaceKeyId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
}
