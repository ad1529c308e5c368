//! Snapshots of inventories, and what changed between them.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    let snapshots = [create(), list(), get(), batch(), count("CountSnapshots"), items(), compare()];
    let changes = [
        list_changes(),
        get_change(),
        batch_of_changes(),
        count("CountInventoryChanges"),
        match_change(),
        ignore_change(),
    ];
    snapshots.into_iter().chain(changes).collect()
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str) -> Case {
    case(method, workspace)
        .by(Key::Reader)
        .denies(Key::Bare)
        .denies(Key::Trader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .prepared(|world| world.snapshots().map(|_| json!({})).boxed())
        .requires(&["workspaceId"])
}

fn listed(case: Case) -> Case {
    case.invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn create() -> Case {
    case("CreateSnapshot", workspace)
        .denies(Key::Reader)
        .denies(Key::Trader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .prepared(|world| async { json!({ "accountId": world.account(1).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn list() -> Case {
    listed(read("ListSnapshots"))
        .prepared(|world| {
            async {
                world.snapshots().await;
                json!({
                    "limit": 1,
                    "accountId": world.account(1).await.to_string(),
                    "status": "SNAPSHOT_STATUS_COMPLETE",
                })
            }
            .boxed()
        })
        .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn get() -> Case {
    read("GetSnapshot")
        .prepared(|world| world.snapshots().map(|[_, id]| json!({ "snapshotId": id.to_string() })).boxed())
        .requires(&["workspaceId", "snapshotId"])
        .not_found(|_| json!({ "snapshotId": unknown_id() }))
}

fn batch() -> Case {
    read("GetSnapshots")
        .prepared(|world| {
            world.snapshots().map(|[id, _]| json!({ "snapshotIds": [unknown_id(), id.to_string()] })).boxed()
        })
        .requires(&["workspaceId", "snapshotIds"])
        .invalid(|_| json!({ "snapshotIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count(method: &'static str) -> Case {
    read(method)
}

fn items() -> Case {
    listed(read("ListSnapshotItems"))
        .prepared(|world| world.snapshots().map(|[_, id]| json!({ "snapshotId": id.to_string() })).boxed())
        .requires(&["workspaceId", "snapshotId"])
        .not_found(|_| json!({ "snapshotId": unknown_id() }))
}

fn compare() -> Case {
    listed(read("CompareSnapshots"))
        .prepared(|world| {
            world
                .snapshots()
                .map(|[from, to]| json!({ "fromSnapshotId": from.to_string(), "toSnapshotId": to.to_string() }))
                .boxed()
        })
        .requires(&["workspaceId", "fromSnapshotId", "toSnapshotId"])
        .not_found(|_| json!({ "fromSnapshotId": unknown_id() }))
        .not_found(|_| json!({ "toSnapshotId": unknown_id() }))
}

fn list_changes() -> Case {
    listed(read("ListInventoryChanges"))
        .prepared(|world| {
            async {
                world.snapshots().await;
                json!({
                    "limit": 1,
                    "accountId": world.account(1).await.to_string(),
                    "kind": "INVENTORY_CHANGE_KIND_APPEARED",
                    "status": "INVENTORY_CHANGE_STATUS_OPEN",
                })
            }
            .boxed()
        })
        .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn get_change() -> Case {
    read("GetInventoryChange")
        .prepared(|world| world.inventory_change().map(|id| json!({ "inventoryChangeId": id.to_string() })).boxed())
        .requires(&["workspaceId", "inventoryChangeId"])
        .not_found(|_| json!({ "inventoryChangeId": unknown_id() }))
}

fn batch_of_changes() -> Case {
    read("GetInventoryChanges")
        .prepared(|world| {
            world.inventory_change().map(|id| json!({ "inventoryChangeIds": [unknown_id(), id.to_string()] })).boxed()
        })
        .requires(&["workspaceId", "inventoryChangeIds"])
        .invalid(|_| json!({ "inventoryChangeIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

/// What both decisions have in common.
fn decide(method: &'static str) -> Case {
    case(method, workspace)
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .requires(&["workspaceId", "inventoryChangeId"])
        .not_found(|_| json!({ "inventoryChangeId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn match_change() -> Case {
    decide("MatchInventoryChange")
        .prepared(|world| {
            async {
                let change = world.change_at_the_desk().await;
                json!({ "inventoryChangeId": change.to_string(), "inventoryItemId": world.desk.item.to_string() })
            }
            .boxed()
        })
        .requires(&["workspaceId", "inventoryChangeId", "inventoryItemId"])
        .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
}

fn ignore_change() -> Case {
    decide("IgnoreInventoryChange")
        .prepared(|world| {
            world
                .inventory_change()
                .map(|id| json!({ "inventoryChangeId": id.to_string(), "reason": "a gift" }))
                .boxed()
        })
        .requires(&["workspaceId", "inventoryChangeId", "reason"])
        .invalid(|_| json!({ "reason": "x".repeat(201) }), "INVALID_FIELD")
}
