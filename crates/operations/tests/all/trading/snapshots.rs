//! Snapshots: who asks for them, what an engine records of them, how long they are kept, and what changed between two.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::asset::{AppId, AssetId, ContextId, Wear};
use tradepost_domain::id::{AccountId, Id, InventoryChangeId, SnapshotId};
use tradepost_domain::trading::inventory_change::{ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::{
    ChangeKind, Face, ItemPlace, ShownItem, Snapshot, SnapshotNumber, SnapshotStatus, SnapshotTrigger, TradeMove,
};
use tradepost_operations::trading::{
    BeginSnapshot, CompareSnapshots, ContextReading, CountInventoryChanges, CountSnapshots, CreateSnapshot,
    FailSnapshot, GetInventoryChanges, GetSnapshots, ListInventoryChanges, ListSnapshotItems, ListSnapshots,
    RecordInventoryChanges, RecordSnapshot, RemoveAccount, SnapshotReading, SnapshotsToTake, ThinSnapshots,
};
use tradepost_operations::{Caller, Code, OpError, Versioned};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::{RecordBatch, Store};
use tradepost_testkit::samples::{Samples, text};

use super::{Staff, refusal};
use crate::old_answers::WithOldAnswers;

/// An item with an asset id and a wear of its own.
pub(super) fn shown(asset: u64) -> ShownItem {
    let item = Samples::seeded(9).shown_item(asset);
    let face = Face { wear: Wear::new(&format!("0.{asset:06}")).ok(), ..item.face };
    let place = ItemPlace { context_id: ContextId::ORDINARY, locked_until: None, ..item.place };
    ShownItem { face, place, ..item }
}

fn reading(staff: &Staff, items: Vec<ShownItem>, is_complete: bool) -> SnapshotReading {
    let (app_id, context_id) = (AppId::CS2, ContextId::ORDINARY);
    let contexts = vec![ContextReading { app_id, context_id, items, is_complete }];
    SnapshotReading { contexts, shown_at: staff.world.clock.now() }
}

impl Staff {
    pub(super) fn store(&self) -> &dyn Store {
        self.world.store.as_ref()
    }

    pub(super) async fn begin(&self, account_id: AccountId) -> SnapshotId {
        let (workspace_id, trigger) = (self.world.workspace_id, SnapshotTrigger::Schedule);
        let command = BeginSnapshot { workspace_id, account_id, trigger };
        self.world.operations.begin_snapshot(&Caller::system(), command).await.unwrap().value.id
    }

    /// Takes a snapshot of an account that shows these items.
    pub(super) async fn take(&self, account_id: AccountId, assets: &[u64], is_complete: bool) -> Snapshot {
        let items = assets.iter().map(|asset| shown(*asset)).collect();
        self.record(self.begin(account_id).await, items, is_complete).await
    }

    async fn record(&self, snapshot_id: SnapshotId, items: Vec<ShownItem>, is_complete: bool) -> Snapshot {
        let (workspace_id, reading) = (self.world.workspace_id, reading(self, items, is_complete));
        let command = RecordSnapshot { workspace_id, snapshot_id, reading };
        self.world.operations.record_snapshot(&Caller::system(), command).await.unwrap().value
    }

    pub(super) async fn compare(&self, account_id: AccountId, moves: Vec<TradeMove>) -> usize {
        let command = RecordInventoryChanges { workspace_id: self.world.workspace_id, account_id, moves };
        self.world.operations.record_inventory_changes(&Caller::system(), command).await.unwrap()
    }

    pub(super) async fn changes(&self) -> Vec<InventoryChange> {
        let (workspace_id, mut cursor, mut found) = (self.world.workspace_id, String::new(), Vec::new());
        loop {
            let list =
                ListInventoryChanges { workspace_id, limit: 200, cursor, account_id: None, kind: None, status: None };
            let page = self.world.operations.list_inventory_changes(&self.keeper, list).await.unwrap();
            if !page.entries.is_empty() {
                let get = GetInventoryChanges { workspace_id, inventory_change_ids: page.entries };
                let batch = self.world.operations.get_inventory_changes(&self.keeper, get).await.unwrap();
                found.extend(batch.found.into_iter().map(|change| change.value));
            }
            if page.next_cursor.is_empty() {
                return found;
            }
            cursor = page.next_cursor;
        }
    }

    async fn snapshots(&self) -> Vec<SnapshotId> {
        let (workspace_id, cursor) = (self.world.workspace_id, String::new());
        let list = ListSnapshots { workspace_id, limit: 200, cursor, account_id: None, status: None };
        self.world.operations.list_snapshots(&self.keeper, list).await.unwrap().entries
    }

    async fn items_of(&self, snapshot_id: SnapshotId) -> Vec<String> {
        let (workspace_id, cursor) = (self.world.workspace_id, String::new());
        let list = ListSnapshotItems { workspace_id, snapshot_id, limit: 200, cursor };
        let page = self.world.operations.list_snapshot_items(&self.keeper, list).await.unwrap();
        page.entries.iter().map(|listed| listed.item.place.asset_id.to_string()).collect()
    }
}

fn kinds(changes: &[InventoryChange]) -> Vec<(ChangeKind, ChangeStatus)> {
    let mut kinds: Vec<_> = changes.iter().map(|change| (change.kind, change.status)).collect();
    kinds.sort_unstable();
    kinds
}

#[tokio::test]
async fn asking_again_gives_the_snapshot_that_waits() {
    let staff = Staff::open().await;
    let (workspace_id, account_id) = (staff.world.workspace_id, staff.register(1).await.id);
    let command = CreateSnapshot { workspace_id, account_id };
    let asked = staff.world.operations.create_snapshot(&staff.keeper, command).await.unwrap();
    assert_eq!((asked.value.status, asked.value.trigger), (SnapshotStatus::Taking, SnapshotTrigger::Person));
    let again = staff.world.operations.create_snapshot(&staff.keeper, command).await.unwrap();
    assert_eq!(again, asked);
    assert_eq!(staff.begin(account_id).await, asked.value.id, "the engine takes the one that waits");
    let waiting = staff.world.operations.snapshots_to_take(&Caller::system(), SnapshotsToTake { workspace_id }).await;
    assert_eq!(waiting.unwrap(), [asked]);
}

#[tokio::test]
async fn an_account_that_is_removed_or_unknown_has_no_snapshot() {
    let staff = Staff::open().await;
    let (workspace_id, account_id) = (staff.world.workspace_id, staff.register(1).await.id);
    let on = &staff.world.operations;
    on.remove_account(&Caller::system(), RemoveAccount { workspace_id, account_id, expected_version: None })
        .await
        .unwrap();
    let asked = on.create_snapshot(&staff.keeper, CreateSnapshot { workspace_id, account_id });
    assert_eq!(refusal(asked).await, (Code::FailedPrecondition, "ACCOUNT_REMOVED"));
    let unknown = CreateSnapshot { workspace_id, account_id: Id::from_bytes([9; 16]) };
    assert_eq!(refusal(on.create_snapshot(&staff.keeper, unknown)).await, (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn a_snapshot_that_is_found_has_its_items_also_where_lists_are_older() {
    let staff = Staff::open().await;
    let account = staff.register(1).await.id;
    let taken = staff.take(account, &[1, 2], true).await;
    let older = staff.world.restarted(|ports| ports.store = Arc::new(WithOldAnswers::over(ports.store.clone())));
    let (workspace_id, cursor) = (staff.world.workspace_id, String::new());
    let list = ListSnapshotItems { workspace_id, snapshot_id: taken.id, limit: 200, cursor };
    assert_eq!(older.operations.list_snapshot_items(&staff.keeper, list).await.unwrap().entries.len(), 2);
}

#[tokio::test]
async fn a_snapshot_shows_what_was_read_and_an_unchanged_item_is_one_record() {
    let staff = Staff::open().await;
    let account = staff.register(1).await.id;
    let first = staff.take(account, &[1, 2], true).await;
    let second = staff.take(account, &[2, 3], true).await;
    assert_eq!((first.status, first.number, first.item_count()), (SnapshotStatus::Complete, Some(1), 2));
    assert_eq!(staff.items_of(first.id).await, ["1", "2"]);
    assert_eq!(staff.items_of(second.id).await, ["2", "3"]);
    let slice = RecordBatch { after: None, most: 9 };
    let open =
        staff.store().snapshots().list_items_at(staff.scope(), (account, SnapshotNumber::MAX), slice).await.unwrap();
    let kept = open.iter().find(|seen| seen.peek().item.place.asset_id == AssetId::new("2").unwrap()).unwrap();
    assert_eq!((kept.stamp().version, kept.peek().span.from), (1, 1), "it was written once");
}

#[tokio::test]
async fn a_snapshot_that_failed_or_waits_has_no_items() {
    let staff = Staff::open().await;
    let (workspace_id, account) = (staff.world.workspace_id, staff.register(1).await.id);
    staff.take(account, &[1], true).await;
    let waiting = staff.begin(account).await;
    assert_eq!(staff.items_of(waiting).await, [""; 0]);
    let fail = FailSnapshot { workspace_id, snapshot_id: waiting, why: "the platform did not answer".to_owned() };
    let failed = staff.world.operations.fail_snapshot(&Caller::system(), fail.clone()).await.unwrap().value;
    assert_eq!((failed.status, failed.failure), (SnapshotStatus::Failed, Some(text("the platform did not answer"))));
    assert_eq!(staff.items_of(waiting).await, [""; 0]);
    let system = Caller::system();
    let again = staff.world.operations.fail_snapshot(&system, fail);
    assert_eq!(refusal(again).await, (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let reading = reading(&staff, Vec::new(), true);
    let late = RecordSnapshot { workspace_id, snapshot_id: waiting, reading };
    let late = staff.world.operations.record_snapshot(&system, late);
    assert_eq!(refusal(late).await, (Code::FailedPrecondition, "ILLEGAL_STEP"));
}

#[tokio::test]
async fn an_item_that_changes_its_context_between_two_reads_is_shown_where_it_was_seen_last() {
    let staff = Staff::open().await;
    let (workspace_id, account) = (staff.world.workspace_id, staff.register(1).await.id);
    let (app_id, is_complete) = (AppId::CS2, true);
    let in_context = |context_id| {
        let item = shown(1);
        let place = ItemPlace { context_id, ..item.place.clone() };
        ContextReading { app_id, context_id, items: vec![ShownItem { place, ..item }], is_complete }
    };
    let contexts = [ContextId::PROTECTED, ContextId::ORDINARY].map(in_context).to_vec();
    let reading = SnapshotReading { contexts, shown_at: staff.world.clock.now() };
    let command = RecordSnapshot { workspace_id, snapshot_id: staff.begin(account).await, reading };
    let taken = staff.world.operations.record_snapshot(&Caller::system(), command).await.unwrap().value;
    assert_eq!(taken.contexts.iter().map(|context| context.shown).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(staff.items_of(taken.id).await, ["1"]);
}

#[tokio::test]
async fn changes_are_recorded_between_complete_snapshots_alone() {
    let staff = Staff::open().await;
    let account = staff.register(1).await.id;
    staff.take(account, &[1, 2], true).await;
    assert_eq!(staff.compare(account, Vec::new()).await, 0, "the first one is compared with nothing");
    staff.take(account, &[1], false).await;
    assert_eq!(staff.compare(account, Vec::new()).await, 0, "a part says nothing");
    let last = staff.take(account, &[1, 2, 3], true).await;
    assert_eq!((staff.compare(account, Vec::new()).await, staff.compare(account, Vec::new()).await), (1, 0));
    let changes = staff.changes().await;
    assert_eq!(kinds(&changes), [(ChangeKind::Appeared, ChangeStatus::Open)], "nothing is reported as missing");
    assert_eq!((changes[0].between.to, changes[0].account_id), (last.id, account));
}

#[tokio::test]
async fn a_trade_explains_a_change_and_is_named_in_it() {
    let staff = Staff::open().await;
    let account = staff.register(1).await.id;
    staff.take(account, &[1], true).await;
    staff.compare(account, Vec::new()).await;
    staff.take(account, &[2], true).await;
    let arrived = Some(AssetId::new("2").unwrap());
    let moves = vec![TradeMove { trade_id: text("trade-1"), app_id: AppId::CS2, left: None, arrived }];
    staff.compare(account, moves).await;
    let changes = staff.changes().await;
    let (explained, open) =
        ((ChangeKind::Appeared, ChangeStatus::Explained), (ChangeKind::Disappeared, ChangeStatus::Open));
    assert_eq!(kinds(&changes), [explained, open]);
    let explained = changes.iter().find(|change| change.status == ChangeStatus::Explained).unwrap();
    assert_eq!(explained.trade_id, Some(text("trade-1")));
}

#[tokio::test]
async fn hundreds_of_changes_are_recorded_in_bounded_commits_and_none_is_dropped_or_doubled() {
    let staff = Staff::open().await;
    let account = staff.register(1).await.id;
    let (before, after): (Vec<u64>, Vec<u64>) = ((1..=300).collect(), (301..=850).collect());
    staff.take(account, &before, true).await;
    staff.compare(account, Vec::new()).await;
    let last = staff.take(account, &after, true).await;
    assert_eq!(staff.compare(account, Vec::new()).await, 850);
    let changes = staff.changes().await;
    let assets: std::collections::BTreeSet<String> =
        changes.iter().map(|change| change.item.place.asset_id.to_string()).collect();
    assert_eq!((changes.len(), assets.len()), (850, 850));
    let found = staff.found_snapshot(last.id).await;
    // Five commits follow the one that took it: the first four have 200 changes.
    assert_eq!((found.value.change_count, found.value.is_compared, found.version), (850, true, 2 + 1 + 5));
}

#[tokio::test]
async fn what_a_process_that_died_has_recorded_is_not_recorded_again() {
    let staff = Staff::open().await;
    let account = staff.register(1).await.id;
    staff.take(account, &[1, 2, 3], true).await;
    staff.compare(account, Vec::new()).await;
    let last = staff.take(account, &[4, 5], true).await;
    assert_eq!(staff.compare(account, Vec::new()).await, 5);
    let mut forgotten: Vec<InventoryChangeId> = staff.changes().await.iter().map(|change| change.id).collect();
    forgotten.truncate(2);
    staff.undo(last.id, &forgotten).await;
    assert_eq!(staff.changes().await.len(), 3);
    assert_eq!((staff.compare(account, Vec::new()).await, staff.changes().await.len()), (2, 5));
}

impl Staff {
    async fn found_snapshot(&self, id: SnapshotId) -> Versioned<Snapshot> {
        let get = GetSnapshots { workspace_id: self.world.workspace_id, snapshot_ids: vec![id] };
        self.world.operations.get_snapshots(&self.keeper, get).await.unwrap().found.remove(0)
    }

    /// Makes a comparison one that did not end: without these changes.
    async fn undo(&self, snapshot: SnapshotId, without: &[InventoryChangeId]) {
        let (store, scope) = (self.store(), self.scope());
        let mut changes = Changes::by(&Caller::system());
        for seen in store.inventory_changes().find_inventory_changes(scope, without).await.unwrap() {
            changes.remove(seen);
        }
        let seen = store.snapshots().find_snapshots(scope, &[snapshot]).await.unwrap().remove(0);
        let undone = |snapshot: Snapshot| Ok::<_, OpError>(Snapshot { is_compared: false, ..snapshot });
        changes.revise(seen, undone).unwrap();
        store.commit(changes).await.unwrap();
    }
}

#[tokio::test]
async fn two_complete_snapshots_are_compared_page_by_page_and_nothing_is_recorded() {
    let staff = Staff::open().await;
    let (workspace_id, account) = (staff.world.workspace_id, staff.register(1).await.id);
    let (from, to) = (staff.take(account, &[1, 2], true).await.id, staff.take(account, &[2, 3, 4], true).await.id);
    let compare = |cursor, limit| CompareSnapshots { workspace_id, from, to, limit, cursor };
    let on = &staff.world.operations;
    let page = on.compare_snapshots(&staff.keeper, compare(String::new(), 2)).await.unwrap();
    let rest = on.compare_snapshots(&staff.keeper, compare(page.next_cursor.clone(), 2)).await.unwrap();
    let found: Vec<_> = page.entries.iter().chain(&rest.entries).map(|found| found.kind).collect();
    assert_eq!(found, [ChangeKind::Disappeared, ChangeKind::Appeared, ChangeKind::Appeared]);
    assert_eq!((page.entries.len(), rest.next_cursor.as_str(), staff.changes().await.len()), (2, "", 0));
    let cursor = on.compare_snapshots(&staff.keeper, compare("nonsense".to_owned(), 2));
    assert_eq!(refusal(cursor).await, (Code::InvalidArgument, "INVALID_CURSOR"));
    assert_eq!(
        refusal(on.compare_snapshots(&staff.keeper, compare(String::new(), -1))).await,
        (Code::InvalidArgument, "INVALID_FIELD")
    );
}

#[tokio::test]
async fn snapshots_that_say_nothing_about_each_other_are_not_compared() {
    let staff = Staff::open().await;
    let (workspace_id, account) = (staff.world.workspace_id, staff.register(1).await.id);
    let (first, part) = (staff.take(account, &[1], true).await.id, staff.take(account, &[1], false).await.id);
    let (waiting, elsewhere) =
        (staff.begin(account).await, staff.take(staff.register(2).await.id, &[1], true).await.id);
    let on = &staff.world.operations;
    let compare = |from, to| {
        let command = CompareSnapshots { workspace_id, from, to, limit: 0, cursor: String::new() };
        refusal(on.compare_snapshots(&staff.keeper, command))
    };
    let (incomplete, invalid) =
        ((Code::FailedPrecondition, "SNAPSHOT_NOT_COMPLETE"), (Code::InvalidArgument, "INVALID_FIELD"));
    assert_eq!((compare(first, part).await, compare(first, waiting).await), (incomplete, incomplete));
    assert_eq!((compare(first, elsewhere).await, compare(first, first).await), (invalid, invalid));
    assert_eq!(compare(first, Id::from_bytes([9; 16])).await, (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn snapshots_of_two_days_are_kept_then_one_a_day_with_what_they_show() {
    let staff = Staff::open().await;
    let (workspace_id, account_id) = (staff.world.workspace_id, staff.register(1).await.id);
    for number in 1..=6 {
        staff.take(account_id, &[number], true).await;
        staff.compare(account_id, Vec::new()).await;
        staff.world.advance(Duration::hours(1));
    }
    let system = Caller::system();
    let thin = || staff.world.operations.thin_snapshots(&system, ThinSnapshots { workspace_id, account_id });
    assert_eq!((thin().await.unwrap(), staff.snapshots().await.len()), (0, 6));
    staff.world.advance(Duration::days(3));
    let last = staff.take(account_id, &[9], true).await;
    staff.compare(account_id, Vec::new()).await;
    assert!(thin().await.unwrap() >= 4, "the last one of each day stays");
    let kept = staff.snapshots().await;
    assert!(kept.contains(&last.id) && kept.len() <= 3, "{kept:?}");
    for id in kept {
        assert_eq!(staff.items_of(id).await.len(), 1);
    }
    assert!(staff.store().snapshots().list_unshown_items(staff.scope(), account_id, 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn snapshots_and_changes_are_listed_and_counted_by_status() {
    let staff = Staff::open().await;
    let (workspace_id, account) = (staff.world.workspace_id, staff.register(1).await.id);
    staff.take(account, &[1], true).await;
    staff.compare(account, Vec::new()).await;
    staff.take(account, &[1, 2], true).await;
    staff.compare(account, Vec::new()).await;
    let waiting = staff.begin(account).await;
    let on = &staff.world.operations;
    let counted = on.count_snapshots(&staff.keeper, CountSnapshots { workspace_id }).await.unwrap();
    assert_eq!(counted.iter().map(|count| count.count).collect::<Vec<_>>(), [1, 2, 0, 0]);
    let counted = on.count_inventory_changes(&staff.keeper, CountInventoryChanges { workspace_id }).await.unwrap();
    assert_eq!(counted.iter().map(|count| count.count).collect::<Vec<_>>(), [1, 0, 0, 0]);
    let list = |account_id, status| ListSnapshots { workspace_id, limit: 0, cursor: String::new(), account_id, status };
    let taking = on.list_snapshots(&staff.keeper, list(Some(account), Some(SnapshotStatus::Taking))).await.unwrap();
    assert_eq!(taking.entries, [waiting]);
    let unknown = on.list_snapshots(&staff.keeper, list(Some(Id::from_bytes([9; 16])), None));
    assert_eq!(refusal(unknown).await, (Code::NotFound, "NOT_FOUND"));
}
