//! Reads of the keys and secrets of workspaces. The search for keys to be sealed again crosses workspaces.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace_key::WorkspaceKey;
use tradepost_domain::id::WorkspaceKeyId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StoreResult, WorkspaceKeys};
use uuid::Uuid;

use crate::rows::accounts::workspace_key;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static KEYS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<workspace_key::Entity>("", "");
    format!("SELECT {columns} FROM workspace_keys WHERE workspace_id = $1 ORDER BY number")
});
static RETIRED_IN_USE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<workspace_key::Entity>("k.", "");
    format!(
        "SELECT {columns} FROM workspace_keys k WHERE k.status = 2 AND k.id > $1 AND EXISTS (SELECT 1 \
         FROM workspace_secrets s WHERE s.workspace_id = k.workspace_id AND s.key_number = k.number) \
         ORDER BY k.id LIMIT $2"
    )
});
static KEPT: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<workspace_key::Entity>("", "");
    format!("SELECT {columns} FROM workspace_keys WHERE status < 3 AND id > $1 ORDER BY id LIMIT $2")
});
#[async_trait]
impl WorkspaceKeys for SqlStore {
    async fn list(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        self.all(&KEYS, vec![uuid(scope.workspace_id()).into()]).await
    }
    async fn list_all(&self, after: Option<WorkspaceKeyId>, most: u32) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        self.all(&KEPT, vec![after.map_or(Uuid::nil(), uuid).into(), i64::from(most).into()]).await
    }
    async fn list_retired_in_use(
        &self,
        after: Option<WorkspaceKeyId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<WorkspaceKey>>> {
        self.all(&RETIRED_IN_USE, vec![after.map_or(Uuid::nil(), uuid).into(), i64::from(most).into()]).await
    }
}
