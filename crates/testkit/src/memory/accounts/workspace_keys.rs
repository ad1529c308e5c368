//! Reads of the keys and secrets of workspaces.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{KeyStatus, SecretPlace, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::{SecretId, WorkspaceKeyId};

use crate::memory::MemoryStore;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{SealedSecret, StoreResult, WorkspaceKeys};

#[async_trait]
impl WorkspaceKeys for MemoryStore {
    async fn list_workspace_keys(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        let mut keys = self.state().all(|key: &WorkspaceKey| key.workspace_id == scope.workspace_id());
        keys.sort_by_key(|key| key.peek().number);
        Ok(keys)
    }

    async fn count_secrets_by_key(&self, scope: WorkspaceScope) -> StoreResult<Vec<(u32, u64)>> {
        let mut counts = BTreeMap::new();
        for secret in self.state().all(|secret: &WorkspaceSecret| secret.workspace_id == scope.workspace_id()) {
            *counts.entry(secret.peek().key_number).or_default() += 1;
        }
        Ok(counts.into_iter().collect())
    }

    async fn find_secret(&self, scope: WorkspaceScope, place: &SecretPlace) -> StoreResult<Option<SealedSecret>> {
        let state = self.state();
        let is_it = |secret: &WorkspaceSecret| secret.workspace_id == scope.workspace_id() && secret.place == *place;
        let Some(secret) = state.first(is_it) else { return Ok(None) };
        let key = state.first(|key: &WorkspaceKey| is_under(secret.peek(), key));
        Ok(key.map(|key| SealedSecret { secret, key: key.into_display().0 }))
    }

    async fn list_secrets_under(
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

    async fn list_data_keys(&self, after: Option<WorkspaceKeyId>, most: u32) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        let mut keys =
            self.state().all(|key: &WorkspaceKey| key.wrapped().is_some() && after.is_none_or(|after| key.id > after));
        keys.sort_by_key(|key| key.peek().id);
        keys.truncate(most as usize);
        Ok(keys)
    }

    async fn list_retired_keys_in_use(
        &self,
        after: Option<WorkspaceKeyId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        let state = self.state();
        let is_in_use = |key: &WorkspaceKey| state.first(|secret: &WorkspaceSecret| is_under(secret, key)).is_some();
        let mut keys = state.all(|key: &WorkspaceKey| {
            key.status() == KeyStatus::Retired && after.is_none_or(|after| key.id > after) && is_in_use(key)
        });
        keys.sort_by_key(|key| key.peek().id);
        keys.truncate(most as usize);
        Ok(keys)
    }
}

fn is_under(secret: &WorkspaceSecret, key: &WorkspaceKey) -> bool {
    secret.workspace_id == key.workspace_id && secret.key_number == key.number
}
