//! Reads of the data keys of workspaces, and of what is sealed under them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::{SecretId, WorkspaceKeyId};

use crate::changes::Seen;
use crate::store::StoreResult;

/// A secret of a workspace's record, with the key that sealed it.
#[derive(Debug, Clone)]
pub struct SealedSecret {
    /// The secret.
    pub secret: Seen<WorkspaceSecret>,
    /// The key.
    pub key: WorkspaceKey,
}

/// The keys and secrets of workspaces.
#[async_trait]
pub trait WorkspaceKeys: Send + Sync {
    /// The keys of the workspace, in the order of their numbers.
    async fn list_workspace_keys(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
    /// How many secrets of the workspace are sealed under the key of which number; keys without any are left out.
    async fn count_secrets_by_key(&self, scope: WorkspaceScope) -> StoreResult<Vec<(u32, u64)>>;
    /// The secret of a field of a record of the workspace.
    async fn find_secret(&self, scope: WorkspaceScope, place: &SecretPlace) -> StoreResult<Option<SealedSecret>>;
    /// Secrets of the workspace that are sealed under the key with this number, in the order of their ids.
    async fn list_secrets_under(
        &self,
        scope: WorkspaceScope,
        key_number: u32,
        after: Option<SecretId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceSecret>>>;
    /// Keys that are not destroyed, of whichever workspaces and of the installation itself, in the order of their ids.
    async fn list_data_keys(&self, after: Option<WorkspaceKeyId>, most: u32) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
    /// Retired keys under which secrets are left, of whichever workspaces, in the order of their ids.
    async fn list_retired_keys_in_use(
        &self,
        after: Option<WorkspaceKeyId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
}
