//! Reads of inventory changes.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{InventoryChangeId, OfInventoryChange, SnapshotId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::inventory_change::InventoryChange;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{InventoryChangeFilter, InventoryChanges, Page, PageRequest, RecordBatch, StoreResult};
use uuid::Uuid;

use crate::rows::trading::inventory_change;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static CHANGES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<inventory_change::Entity>("", "");
    format!("SELECT {columns} FROM inventory_changes{{by}} WHERE workspace_id = $1")
});
static TO_SNAPSHOT: LazyLock<String> =
    LazyLock::new(|| format!("{} AND to_snapshot_id = $2 AND id > $3 ORDER BY id LIMIT $4", *CHANGES));
/// OPEN, APPEARED and not reported, in the words of the index, so that the database knows that the index holds the rows.
static ORPHANS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} AND status = 1 AND kind = 1 AND inventory_item_id IS NULL AND reported = 0 AND created_at < $2 \
         ORDER BY created_at, id LIMIT $3",
        *CHANGES
    )
});

#[async_trait]
impl InventoryChanges for SqlStore {
    async fn find_inventory_changes(
        &self,
        scope: WorkspaceScope,
        ids: &[InventoryChangeId],
    ) -> StoreResult<Vec<Seen<InventoryChange>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list_inventory_changes(
        &self,
        scope: WorkspaceScope,
        filter: InventoryChangeFilter,
        page: PageRequest<OfInventoryChange>,
    ) -> StoreResult<Page<OfInventoryChange>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.account_id.map(|wanted| ("account_id", uuid(wanted).into())));
        equal.extend(filter.kind.map(|wanted| ("kind", wanted.code().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("inventory_changes", equal, page).await
    }
    async fn list_changes_to(
        &self,
        scope: WorkspaceScope,
        snapshot: SnapshotId,
        slice: RecordBatch<OfInventoryChange>,
    ) -> StoreResult<Vec<Seen<InventoryChange>>> {
        let text = self.by_index(&TO_SNAPSHOT, "inventory_changes_snapshot");
        let (workspace, after) = (uuid(scope.workspace_id()), slice.after.map_or(Uuid::nil(), uuid));
        let values = vec![workspace.into(), uuid(snapshot).into(), after.into(), i64::from(slice.most).into()];
        self.readable(&text, values).await
    }
    async fn list_unreported_orphans(
        &self,
        scope: WorkspaceScope,
        before: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<InventoryChange>>> {
        let text = self.by_index(&ORPHANS, "inventory_changes_orphans");
        let workspace = uuid(scope.workspace_id());
        self.readable(&text, vec![workspace.into(), before.as_micros().into(), i64::from(most).into()]).await
    }
}
