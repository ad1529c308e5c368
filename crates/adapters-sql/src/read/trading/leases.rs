//! Reads of which node does which part of a workspace's work.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::trading::lease::Lease;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Leases, StoreResult};

use crate::rows::trading::lease;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static OF_WORKSPACE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<lease::Entity>("", "");
    format!("SELECT {columns} FROM leases WHERE workspace_id = $1")
});

/// The kind of work 2 is a marketplace.
static OF_MARKETPLACES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<lease::Entity>("", "");
    format!("SELECT {columns} FROM leases WHERE work_kind = 2")
});

#[async_trait]
impl Leases for SqlStore {
    async fn find_many(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<Lease>>> {
        self.all(&OF_WORKSPACE, vec![uuid(scope.workspace_id()).into()]).await
    }
    async fn list_of_marketplaces(&self) -> StoreResult<Vec<Seen<Lease>>> {
        self.all(&OF_MARKETPLACES, Vec::new()).await
    }
}
