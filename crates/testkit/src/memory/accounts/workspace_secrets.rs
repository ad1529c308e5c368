//! Reads of the secrets of workspaces.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::SecretId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{SealedSecret, SecretColumn, StoreResult, WorkspaceSecrets};

use crate::memory::MemoryStore;
use crate::memory::accounts::workspace_keys::is_under;

#[async_trait]
impl WorkspaceSecrets for MemoryStore {
    async fn count_by_key(&self, scope: WorkspaceScope) -> StoreResult<Vec<(u32, u64)>> {
        let mut counts = BTreeMap::new();
        for secret in self.state().all(|secret: &WorkspaceSecret| secret.workspace_id == scope.workspace_id()) {
            *counts.entry(secret.peek().key_number).or_default() += 1;
        }
        Ok(counts.into_iter().collect())
    }
    async fn find(&self, scope: WorkspaceScope, place: &SecretPlace) -> StoreResult<Option<SealedSecret>> {
        let state = self.state();
        let is_it = |secret: &WorkspaceSecret| secret.workspace_id == scope.workspace_id() && secret.place == *place;
        let Some(secret) = state.first(is_it) else { return Ok(None) };
        let key = state.first(|key: &WorkspaceKey| is_under(secret.peek(), key));
        Ok(key.map(|key| SealedSecret { secret, key: key.into_display().0 }))
    }
    async fn find_rows(
        &self,
        scope: WorkspaceScope,
        column: SecretColumn<'_>,
        rows: &[[u8; 16]],
    ) -> StoreResult<Vec<SealedSecret>> {
        let state = self.state();
        let secrets = state.all(|secret: &WorkspaceSecret| {
            let place = &secret.place;
            let is_column = place.table.as_str() == column.table && place.column.as_str() == column.column;
            secret.workspace_id == scope.workspace_id() && is_column && rows.contains(&place.row)
        });
        let with_key = |secret: Seen<WorkspaceSecret>| {
            let key = state.first(|key: &WorkspaceKey| is_under(secret.peek(), key));
            key.map(|key| SealedSecret { secret, key: key.into_display().0 })
        };
        Ok(secrets.into_iter().filter_map(with_key).collect())
    }
    async fn list_under(
        &self,
        scope: WorkspaceScope,
        key_number: u32,
        after: Option<SecretId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceSecret>>> {
        let mut secrets = self.state().all(|secret: &WorkspaceSecret| {
            secret.workspace_id == scope.workspace_id()
                && secret.key_number == key_number
                && after.is_none_or(|after| secret.id > after)
        });
        secrets.sort_by_key(|secret| secret.peek().id);
        secrets.truncate(most as usize);
        Ok(secrets)
    }
}
