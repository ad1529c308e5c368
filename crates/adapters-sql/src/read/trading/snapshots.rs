//! Reads of snapshots and of their items.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfSnapshot, OfSnapshotItem, SnapshotId};
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotItem, SnapshotNumber, SnapshotStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RecordBatch, SnapshotFilter, Snapshots, StoreError, StoreResult};
use uuid::Uuid;

use crate::rows::trading::{snapshot, snapshot_item};
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static SNAPSHOTS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<snapshot::Entity>("", "");
    format!("SELECT {columns} FROM snapshots{{by}} WHERE workspace_id = $1")
});
static IN_STATUS: LazyLock<String> =
    LazyLock::new(|| format!("{} AND status = $2 AND id > $3 ORDER BY id LIMIT $4", *SNAPSHOTS));
static OF_ACCOUNT: LazyLock<String> =
    LazyLock::new(|| format!("{} AND account_id = $2 AND id > $3 ORDER BY id LIMIT $4", *SNAPSHOTS));
/// Status 2 is COMPLETE; as a literal, so that the index of these alone is used.
static COMPLETE: LazyLock<String> = LazyLock::new(|| {
    format!("{} AND account_id = $2 AND status = 2 AND number < $3 ORDER BY number DESC LIMIT 1", *SNAPSHOTS)
});
const LAST_NUMBER: &str = "SELECT coalesce(max(number), 0) FROM snapshots{by} WHERE workspace_id = $1 \
    AND account_id = $2 AND number IS NOT NULL";
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<snapshot_item::Entity>("i.", "");
    format!("SELECT {columns} FROM snapshot_items i{{by}} WHERE i.workspace_id = $1 AND i.account_id = $2")
});
static ITEMS_AT: LazyLock<String> = LazyLock::new(|| {
    format!("{} AND i.id > $3 AND i.from_number <= $4 AND i.until_number > $4 ORDER BY i.id LIMIT $5", *ITEMS)
});
/// What the latest snapshot shows has the greatest end.
static UNSHOWN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} AND i.until_number < 9223372036854775807 AND NOT EXISTS (SELECT 1 FROM snapshots s \
         WHERE s.workspace_id = $1 AND s.account_id = $2 AND s.number IS NOT NULL AND s.number >= i.from_number \
         AND s.number < i.until_number) LIMIT $3",
        *ITEMS
    )
});

fn after<K>(slice: &RecordBatch<K>) -> Uuid {
    slice.after.map_or(Uuid::nil(), uuid)
}

#[async_trait]
impl Snapshots for SqlStore {
    async fn find_snapshots(&self, scope: WorkspaceScope, ids: &[SnapshotId]) -> StoreResult<Vec<Seen<Snapshot>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list_snapshots(
        &self,
        scope: WorkspaceScope,
        filter: SnapshotFilter,
        page: PageRequest<OfSnapshot>,
    ) -> StoreResult<Page<OfSnapshot>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.account_id.map(|wanted| ("account_id", uuid(wanted).into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("snapshots", equal, page).await
    }
    async fn list_snapshots_in(
        &self,
        scope: WorkspaceScope,
        status: SnapshotStatus,
        slice: RecordBatch<OfSnapshot>,
    ) -> StoreResult<Vec<Seen<Snapshot>>> {
        let text = self.by_index(&IN_STATUS, "snapshots_status");
        let (workspace, most) = (uuid(scope.workspace_id()), i64::from(slice.most));
        self.readable(&text, vec![workspace.into(), status.code().into(), after(&slice).into(), most.into()]).await
    }
    async fn list_snapshots_of(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        slice: RecordBatch<OfSnapshot>,
    ) -> StoreResult<Vec<Seen<Snapshot>>> {
        let text = self.by_index(&OF_ACCOUNT, "snapshots_account");
        let (workspace, most) = (uuid(scope.workspace_id()), i64::from(slice.most));
        self.readable(&text, vec![workspace.into(), uuid(account).into(), after(&slice).into(), most.into()]).await
    }
    async fn find_complete_before(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        number: SnapshotNumber,
    ) -> StoreResult<Option<Seen<Snapshot>>> {
        let text = self.by_index(&COMPLETE, "snapshots_complete");
        let workspace = uuid(scope.workspace_id());
        self.one(&text, vec![workspace.into(), uuid(account).into(), i64::from(number).into()]).await
    }
    async fn last_snapshot_number(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<SnapshotNumber> {
        let text = self.by_index(LAST_NUMBER, "snapshots_number");
        let number = self.number(&text, vec![uuid(scope.workspace_id()).into(), uuid(account).into()]).await?;
        SnapshotNumber::try_from(number).map_err(|_| StoreError::Corrupt(format!("snapshots.number: {number}")))
    }
    async fn list_items_at(
        &self,
        scope: WorkspaceScope,
        place: (AccountId, SnapshotNumber),
        slice: RecordBatch<OfSnapshotItem>,
    ) -> StoreResult<Vec<Seen<SnapshotItem>>> {
        let (account, number) = place;
        let text = self.by_index(&ITEMS_AT, "snapshot_items_account");
        let mut values = vec![uuid(scope.workspace_id()).into(), uuid(account).into(), after(&slice).into()];
        values.extend([i64::from(number).into(), i64::from(slice.most).into()]);
        self.readable(&text, values).await
    }
    async fn list_unshown_items(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        most: u32,
    ) -> StoreResult<Vec<Seen<SnapshotItem>>> {
        let text = self.by_index(&UNSHOWN, "snapshot_items_account");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), uuid(account).into(), i64::from(most).into()])
            .await
    }
}
