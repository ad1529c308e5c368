//! Reads of the keys and secrets of workspaces.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::{KeyStatus, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StoreResult, WorkspaceKeys};

use crate::memory::MemoryStore;

#[async_trait]
impl WorkspaceKeys for MemoryStore {
    async fn list(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        let mut keys = self.state().all(|key: &WorkspaceKey| key.workspace_id == scope.workspace_id());
        keys.sort_by_key(|key| key.peek().number);
        Ok(keys)
    }
    async fn list_all(&self, after: Option<WorkspaceKeyId>, most: u32) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        let mut keys =
            self.state().all(|key: &WorkspaceKey| key.wrapped().is_some() && after.is_none_or(|after| key.id > after));
        keys.sort_by_key(|key| key.peek().id);
        keys.truncate(most as usize);
        Ok(keys)
    }
    async fn list_retired_in_use(
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

pub(super) fn is_under(secret: &WorkspaceSecret, key: &WorkspaceKey) -> bool {
    secret.workspace_id == key.workspace_id && secret.key_number == key.number
}
