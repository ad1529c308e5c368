//! Reads of workspaces, memberships and keys, and the note of a key's use.
//!
//! Looking a key or an invitation up by its digest and finding a user's own memberships are the reads that cross workspaces.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StoreResult, Workspaces};

use crate::rows::accounts::workspace;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static OWN_WORKSPACES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<workspace::Entity>("w.", "");
    format!(
        "SELECT {columns} FROM memberships m JOIN workspaces w ON w.id = m.workspace_id \
         WHERE m.user_id = $1 AND m.status = 2 ORDER BY w.id"
    )
});
#[async_trait]
impl Workspaces for SqlStore {
    async fn find(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<Workspace>>> {
        self.find(vec![uuid(scope.workspace_id()).into()]).await
    }
    async fn list_own(&self, user: UserId) -> StoreResult<Vec<Seen<Workspace>>> {
        self.all(&OWN_WORKSPACES, vec![uuid(user).into()]).await
    }
}
