//! Snapshots of inventories: after trades, on a schedule and for people; and what their differences say.

use time::Duration;
use tradepost_adapters_simulator::{Fault, Side};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::inventory_change::{ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::{ChangeKind, Snapshot, SnapshotStatus, SnapshotTrigger};
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    CreateSnapshot, GetInventoryChanges, GetSnapshots, ListInventoryChanges, ListSnapshots,
};
use tradepost_ports::external::ExternalError;

use crate::desk::{Desk, all_items};

impl Desk {
    /// The snapshots, the oldest first.
    async fn snapshots(&self) -> Vec<Snapshot> {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let list = ListSnapshots { workspace_id, limit: 200, cursor, account_id: None, status: None };
        let snapshot_ids = self.operations.list_snapshots(&Caller::system(), list).await.unwrap().entries;
        if snapshot_ids.is_empty() {
            return Vec::new();
        }
        let get = GetSnapshots { workspace_id, snapshot_ids };
        let found = self.operations.get_snapshots(&Caller::system(), get).await.unwrap().found;
        found.into_iter().rev().map(|found| found.value).collect()
    }

    async fn inventory_changes(&self) -> Vec<InventoryChange> {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let list =
            ListInventoryChanges { workspace_id, limit: 200, cursor, account_id: None, kind: None, status: None };
        let ids = self.operations.list_inventory_changes(&Caller::system(), list).await.unwrap().entries;
        if ids.is_empty() {
            return Vec::new();
        }
        let get = GetInventoryChanges { workspace_id, inventory_change_ids: ids };
        let found = self.operations.get_inventory_changes(&Caller::system(), get).await.unwrap().found;
        found.into_iter().rev().map(|found| found.value).collect()
    }

    async fn ask_for_snapshot(&self, account_id: AccountId) {
        let command = CreateSnapshot { workspace_id: self.workspace_id, account_id };
        self.operations.create_snapshot(&Caller::system(), command).await.unwrap();
    }
}

#[tokio::test]
async fn the_item_that_a_trade_brought_is_in_the_next_snapshot_and_explained_by_the_trade() {
    let mut desk = Desk::slow(611).await;
    desk.step = Duration::minutes(1);
    let account_id = desk.on_record().await;
    let mut engine = desk.engine();
    desk.ask_for_snapshot(account_id).await;
    desk.live(&mut engine, Duration::minutes(5)).await;
    desk.buying(1).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    let snapshots = desk.snapshots().await;
    assert_eq!((snapshots[0].trigger, snapshots[0].status), (SnapshotTrigger::Person, SnapshotStatus::Complete));
    assert!(snapshots.iter().any(|snapshot| snapshot.trigger == SnapshotTrigger::Trade), "{snapshots:?}");
    let item = desk.items().await.remove(0);
    let changes = desk.inventory_changes().await;
    let brought = changes.iter().find(|change| change.kind == ChangeKind::Appeared).unwrap();
    assert_eq!((brought.status, brought.inventory_item_id), (ChangeStatus::Explained, Some(item.id)), "{changes:?}");
    assert_eq!(brought.current_asset_id(), Some(item.current_asset_id()));
    assert_eq!(desk.remediations(RemediationKind::OrphanItem).await, []);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_account_with_items_has_a_snapshot_about_every_half_hour_and_one_without_has_none() {
    let desk = Desk::slow(612).await;
    desk.on_record().await;
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.snapshots().await, [], "there is no item");
    desk.buying(1).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    let before = desk.snapshots().await.len();
    desk.live(&mut engine, Duration::hours(4)).await;
    let scheduled = desk.snapshots().await.split_off(before);
    assert!((6..=10).contains(&scheduled.len()), "{} snapshots in 4 h", scheduled.len());
    assert!(scheduled.iter().all(|snapshot| snapshot.status == SnapshotStatus::Complete && snapshot.is_compared));
}

#[tokio::test]
async fn a_part_of_an_inventory_is_kept_as_one_and_reports_nothing_as_missing() {
    let mut desk = Desk::slow(613).await;
    desk.step = Duration::minutes(1);
    let account_id = desk.on_record().await;
    desk.buying(2).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(2, ItemStatus::InInventory)).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    for _ in 0..4 {
        // The audit of inventories reads as well.
        for _ in 0..4 {
            desk.simulator.world(|world| world.inject(Fault::PartialInventory));
        }
        desk.ask_for_snapshot(account_id).await;
        desk.live(&mut engine, Duration::minutes(2)).await;
    }
    let statuses: Vec<SnapshotStatus> = desk.snapshots().await.iter().map(|snapshot| snapshot.status).collect();
    assert!(statuses.contains(&SnapshotStatus::Partial), "{statuses:?}");
    let changes = desk.inventory_changes().await;
    assert!(changes.iter().all(|change| change.kind != ChangeKind::Disappeared), "{changes:?}");
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_snapshot_that_the_platform_does_not_answer_has_failed_and_the_next_one_is_taken() {
    let mut desk = Desk::slow(614).await;
    desk.step = Duration::minutes(1);
    let account_id = desk.on_record().await;
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::minutes(2)).await;
    desk.simulator.world(|world| world.inject(Fault::SessionLost { side: Side::Platform, seconds: 600 }));
    desk.ask_for_snapshot(account_id).await;
    desk.live(&mut engine, Duration::minutes(2)).await;
    let failed = desk.snapshots().await.remove(0);
    assert_eq!((failed.status, failed.failure.is_some()), (SnapshotStatus::Failed, true));
    desk.live(&mut engine, Duration::minutes(20)).await;
    desk.ask_for_snapshot(account_id).await;
    desk.live(&mut engine, Duration::minutes(2)).await;
    assert_eq!(desk.snapshots().await[1].status, SnapshotStatus::Complete);
}

#[tokio::test]
async fn what_changes_while_trades_cannot_be_read_is_recorded_once_they_can() {
    let mut desk = Desk::slow(615).await;
    desk.step = Duration::minutes(1);
    let account_id = desk.on_record().await;
    let (mut engine, moody, _) = desk.moody_engine();
    desk.ask_for_snapshot(account_id).await;
    desk.live(&mut engine, Duration::minutes(5)).await;
    moody.mood.lock().unwrap().refuses_trades = Some(ExternalError::Unknown("no answer".to_owned()));
    desk.buying(1).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    for _ in 0..2 {
        desk.ask_for_snapshot(account_id).await;
        desk.live(&mut engine, Duration::minutes(2)).await;
    }
    let statuses: Vec<SnapshotStatus> = desk.snapshots().await.iter().map(|snapshot| snapshot.status).collect();
    assert!(statuses[1..].iter().all(|status| *status == SnapshotStatus::Failed) && statuses.len() > 2, "{statuses:?}");
    moody.mood.lock().unwrap().refuses_trades = None;
    desk.ask_for_snapshot(account_id).await;
    desk.live(&mut engine, Duration::minutes(2)).await;
    let changes = desk.inventory_changes().await;
    let brought = changes.iter().find(|change| change.kind == ChangeKind::Appeared).unwrap();
    assert_eq!(brought.status, ChangeStatus::Explained, "{changes:?}");
}
