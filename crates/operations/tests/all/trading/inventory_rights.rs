//! The operations of snapshots and inventory changes, for the table of rights.

use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::trading::snapshot::SnapshotTrigger;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    BeginSnapshot, CompareSnapshots, CountInventoryChanges, CountSnapshots, CreateSnapshot, FailSnapshot,
    GetInventoryChange, GetInventoryChanges, GetSnapshot, GetSnapshots, IgnoreInventoryChange, ListInventoryChanges,
    ListSnapshotItems, ListSnapshots, MatchInventoryChange, RecordSnapshot, ReportOrphans, SnapshotReading,
};
use tradepost_ports::clock::Clock as _;

use super::Staff;
use super::rights::{Refusals, of};

pub(super) async fn reads(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, snapshot_id, change_id) = (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (limit, cursor) = (0, String::new());
    let list = ListSnapshots { workspace_id, limit, cursor: cursor.clone(), account_id: None, status: None };
    let items = ListSnapshotItems { workspace_id, snapshot_id, limit, cursor: cursor.clone() };
    let compare = CompareSnapshots { workspace_id, from: snapshot_id, to: snapshot_id, limit, cursor: cursor.clone() };
    let changes = ListInventoryChanges { workspace_id, limit, cursor, account_id: None, kind: None, status: None };
    let several = GetSnapshots { workspace_id, snapshot_ids: vec![snapshot_id] };
    let several_changes = GetInventoryChanges { workspace_id, inventory_change_ids: vec![change_id] };
    let change = GetInventoryChange { workspace_id, inventory_change_id: change_id };
    vec![
        of("ListSnapshots", on.list_snapshots(caller, list).await),
        of("GetSnapshot", on.get_snapshot(caller, GetSnapshot { workspace_id, snapshot_id }).await),
        of("GetSnapshots", on.get_snapshots(caller, several).await),
        of("CountSnapshots", on.count_snapshots(caller, CountSnapshots { workspace_id }).await),
        of("ListSnapshotItems", on.list_snapshot_items(caller, items).await),
        of("CompareSnapshots", on.compare_snapshots(caller, compare).await),
        of("ListInventoryChanges", on.list_inventory_changes(caller, changes).await),
        of("GetInventoryChange", on.get_inventory_change(caller, change).await),
        of("GetInventoryChanges", on.get_inventory_changes(caller, several_changes).await),
        of("CountInventoryChanges", on.count_inventory_changes(caller, CountInventoryChanges { workspace_id }).await),
    ]
}

pub(super) async fn writes(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, snapshot_id, account_id) = (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let begin = BeginSnapshot { workspace_id, account_id, trigger: SnapshotTrigger::Schedule };
    let reading = SnapshotReading { contexts: Vec::new(), shown_at: staff.world.clock.now() };
    let record = RecordSnapshot { workspace_id, snapshot_id, reading };
    let fail = FailSnapshot { workspace_id, snapshot_id, why: "no answer".to_owned() };
    vec![
        of("CreateSnapshot", on.create_snapshot(caller, CreateSnapshot { workspace_id, account_id }).await),
        of("BeginSnapshot", on.begin_snapshot(caller, begin).await),
        of("RecordSnapshot", on.record_snapshot(caller, record).await),
        of("FailSnapshot", on.fail_snapshot(caller, fail).await),
    ]
}

/// What people decide on changes: they trade.
pub(super) async fn decisions(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, inventory_change_id, expected_version) = (&staff.world.operations, Id::from_bytes([9; 16]), None);
    let inventory_item_id = Id::from_bytes([9; 16]);
    let matched = MatchInventoryChange { workspace_id, inventory_change_id, inventory_item_id, expected_version };
    let reason = "a gift".to_owned();
    let ignored = IgnoreInventoryChange { workspace_id, inventory_change_id, reason, expected_version };
    vec![
        of("MatchInventoryChange", on.match_inventory_change(caller, matched).await),
        of("IgnoreInventoryChange", on.ignore_inventory_change(caller, ignored).await),
        of("ReportOrphans", on.report_orphans(caller, ReportOrphans { workspace_id }).await),
    ]
}
