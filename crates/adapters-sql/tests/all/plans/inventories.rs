//! The lists of imports, snapshots and inventory changes.

use tradepost_domain::trading::import::ImportStatus;
use tradepost_domain::trading::inventory_change::ChangeStatus;
use tradepost_domain::trading::snapshot::{ChangeKind, SnapshotStatus};
use tradepost_ports::store::{InventoryChangeFilter, PageRequest, RecordBatch, SnapshotFilter, Store};
use tradepost_testkit::samples::Scene;

pub(super) async fn list(store: &dyn Store, scene: &Scene) {
    let (scope, account, most) = (scene.scope(), scene.samples.id(), 200);
    for status in [None, Some(ImportStatus::Checked)] {
        store.imports().list_imports(scope, status, PageRequest { before: None, limit: 50 }).await.unwrap();
    }
    for account_id in [None, Some(account)] {
        for status in [None, Some(SnapshotStatus::Complete)] {
            store
                .snapshots()
                .list_snapshots(scope, SnapshotFilter { account_id, status }, PageRequest { before: None, limit: 50 })
                .await
                .unwrap();
        }
        for kind in [None, Some(ChangeKind::Appeared)] {
            for status in [None, Some(ChangeStatus::Open)] {
                let filter = InventoryChangeFilter { account_id, kind, status };
                store
                    .inventory_changes()
                    .list_inventory_changes(scope, filter, PageRequest { before: None, limit: 50 })
                    .await
                    .unwrap();
            }
        }
    }
    let slice = RecordBatch { after: None, most };
    store.snapshots().list_snapshots_in(scope, SnapshotStatus::Taking, slice).await.unwrap();
    let slice = RecordBatch { after: None, most };
    store.snapshots().list_snapshots_of(scope, account, slice).await.unwrap();
    let slice = RecordBatch { after: None, most };
    store.inventory_changes().list_changes_to(scope, scene.samples.id(), slice).await.unwrap();
}
