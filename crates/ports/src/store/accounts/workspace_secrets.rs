//! Reads of the secrets that are sealed under the data keys of workspaces.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::SecretId;

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

/// A column of a table of which the values are secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretColumn<'a> {
    /// The table.
    pub table: &'a str,
    /// The column.
    pub column: &'a str,
}

/// Secrets of workspaces, sealed under their data keys.
#[async_trait]
pub trait WorkspaceSecrets: Send + Sync {
    /// Returns the secret of a field of a record of the workspace.
    async fn find(&self, scope: WorkspaceScope, place: &SecretPlace) -> StoreResult<Option<SealedSecret>>;
    /// Returns the secrets of a column of these rows of a table, in no order; missing ones are left out.
    async fn find_rows(
        &self,
        scope: WorkspaceScope,
        column: SecretColumn<'_>,
        rows: &[[u8; 16]],
    ) -> StoreResult<Vec<SealedSecret>>;
    /// Returns secrets of the workspace that are sealed under the key with this number, in the order of their ids.
    async fn list_under(
        &self,
        scope: WorkspaceScope,
        key_number: u32,
        after: Option<SecretId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceSecret>>>;
    /// Counts the secrets of the workspace by the number of the key that sealed them; keys without any are left out.
    async fn count_by_key(&self, scope: WorkspaceScope) -> StoreResult<Vec<(u32, u64)>>;
}
