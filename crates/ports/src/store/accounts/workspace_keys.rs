//! Reads of the data keys of workspaces, and of the secrets that are sealed under them.

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
    /// Returns the keys of the workspace, in the order of their numbers.
    async fn list_workspace_keys(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
    /// Counts the secrets of the workspace by the number of the key that sealed them; keys without any are left out.
    async fn count_secrets_by_key(&self, scope: WorkspaceScope) -> StoreResult<Vec<(u32, u64)>>;
    /// Returns the secret of a field of a record of the workspace.
    async fn find_secret(&self, scope: WorkspaceScope, place: &SecretPlace) -> StoreResult<Option<SealedSecret>>;
    /// Returns secrets of the workspace that are sealed under the key with this number, in the order of their ids.
    async fn list_secrets_under(
        &self,
        scope: WorkspaceScope,
        key_number: u32,
        after: Option<SecretId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceSecret>>>;
    /// Returns keys that are not destroyed, of any workspace and of the installation itself, in the order of their ids.
    async fn list_data_keys(&self, after: Option<WorkspaceKeyId>, most: u32) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
    /// Returns retired keys that still seal secrets, of any workspace, in the order of their ids.
    async fn list_retired_keys_in_use(
        &self,
        after: Option<WorkspaceKeyId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceKey>>>;
}
