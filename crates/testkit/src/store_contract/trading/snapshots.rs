//! Promises about snapshots and their items: they are read back as they were written, only at home, and an item is one record as long as
//! it does not change.

use tradepost_domain::id::{AccountId, SnapshotItemId};
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotItem, SnapshotNumber, SnapshotStatus, Span};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{PageRequest, RecordBatch, SnapshotFilter, Store, StoreError, Unique};

use crate::samples::Scene;
use crate::store_contract::{insert, value, values};

async fn kept(store: &dyn Store, snapshot: Snapshot) -> Snapshot {
    insert(store, [snapshot.clone().into()]).await.unwrap();
    snapshot
}

async fn kept_of(
    store: &dyn Store,
    scene: &Scene,
    place: (AccountId, SnapshotNumber),
    status: SnapshotStatus,
) -> Snapshot {
    let (account, number) = place;
    kept(store, scene.samples.snapshot_of(scene.id(), account, number, status)).await
}

const fn first<K>(most: u32) -> RecordBatch<K> {
    RecordBatch { after: None, most }
}

pub async fn a_snapshot_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in SnapshotStatus::ALL {
        let snapshot = kept(store, scene.samples.snapshot_in(scene.id(), *status)).await;
        assert_eq!(snapshot.status, *status);
        let found = store.snapshots().find_snapshots(scene.scope(), &[snapshot.id]).await.unwrap();
        assert_eq!(values(found), [snapshot], "{status}");
    }
}

pub async fn a_snapshot_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let account = home.samples.id();
    let one = kept_of(store, &home, (account, 1), SnapshotStatus::Complete).await;
    let other = kept_of(store, &home, (account, 2), SnapshotStatus::Partial).await;
    let shown = home.samples.shown_item(1);
    let item = home.samples.snapshot_item(home.id(), account, shown, Span { from: 1, until: None });
    insert(store, [item.clone().into()]).await.unwrap();
    let ids = [one.id, home.samples.id(), other.id];
    let mut found = values(store.snapshots().find_snapshots(home.scope(), &ids).await.unwrap());
    found.sort_by_key(|snapshot| snapshot.id);
    assert_eq!(found, [one, other]);
    assert_eq!(values(store.snapshots().find_snapshots(abroad.scope(), &ids).await.unwrap()), []);
    for (scope, items, last) in [(home.scope(), vec![item], 2), (abroad.scope(), Vec::new(), 0)] {
        let at = store.snapshots().list_items_at(scope, (account, 1), first(9)).await.unwrap();
        assert_eq!((values(at), store.snapshots().last_snapshot_number(scope, account).await.unwrap()), (items, last));
    }
}

pub async fn snapshots_are_listed_by_account_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (account, other) = (scene.samples.id(), scene.samples.id());
    let complete = kept_of(store, &scene, (account, 1), SnapshotStatus::Complete).await.id;
    let failed = kept_of(store, &scene, (account, 2), SnapshotStatus::Failed).await.id;
    let elsewhere = kept_of(store, &scene, (other, 1), SnapshotStatus::Failed).await.id;
    let listed = async |account_id, status| {
        let (filter, page) = (SnapshotFilter { account_id, status }, PageRequest { before: None, limit: 9 });
        store.snapshots().list_snapshots(scene.scope(), filter, page).await.unwrap().ids
    };
    let lost = Some(SnapshotStatus::Failed);
    assert_eq!(listed(None, None).await, [elsewhere, failed, complete]);
    assert_eq!(listed(Some(account), None).await, [failed, complete]);
    assert_eq!(listed(None, lost).await, [elsewhere, failed]);
    assert_eq!(listed(Some(account), lost).await, [failed]);
    assert_eq!(listed(Some(other), Some(SnapshotStatus::Complete)).await, []);
}

pub async fn snapshots_are_read_by_status_and_account_oldest_first_a_slice_at_a_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (account, other) = (scene.samples.id(), scene.samples.id());
    let one = kept_of(store, &scene, (account, 1), SnapshotStatus::Complete).await;
    let elsewhere = kept_of(store, &scene, (other, 1), SnapshotStatus::Complete).await;
    let two = kept_of(store, &scene, (account, 2), SnapshotStatus::Complete).await;
    let taking = kept_of(store, &scene, (account, 3), SnapshotStatus::Taking).await;
    let (snapshots, scope) = (store.snapshots(), scene.scope());
    let slice = first(2);
    let complete = snapshots.list_snapshots_in(scope, SnapshotStatus::Complete, slice).await.unwrap();
    assert_eq!(values(complete), [one.clone(), elsewhere.clone()]);
    let slice = RecordBatch { after: Some(elsewhere.id), most: 2 };
    let rest = snapshots.list_snapshots_in(scope, SnapshotStatus::Complete, slice).await.unwrap();
    assert_eq!(values(rest), std::slice::from_ref(&two));
    assert_eq!(
        values(snapshots.list_snapshots_of(scope, account, first(2)).await.unwrap()),
        [one.clone(), two.clone()]
    );
    let slice = RecordBatch { after: Some(one.id), most: 9 };
    assert_eq!(values(snapshots.list_snapshots_of(scope, account, slice).await.unwrap()), [two, taking]);
}

pub async fn the_complete_snapshot_before_a_number_is_found(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.id();
    let before =
        async |number| value(store.snapshots().find_complete_before(scene.scope(), account, number).await.unwrap());
    assert_eq!((before(9).await, last_number(store, &scene, account).await), (None, 0));
    let one = kept_of(store, &scene, (account, 1), SnapshotStatus::Complete).await;
    let three = kept_of(store, &scene, (account, 3), SnapshotStatus::Complete).await;
    kept_of(store, &scene, (account, 4), SnapshotStatus::Partial).await;
    kept_of(store, &scene, (scene.samples.id(), 8), SnapshotStatus::Complete).await;
    assert_eq!(before(SnapshotNumber::MAX).await, Some(three));
    assert_eq!((before(3).await, before(1).await), (Some(one), None));
    assert_eq!(last_number(store, &scene, account).await, 4);
}

async fn last_number(store: &dyn Store, scene: &Scene, account: AccountId) -> SnapshotNumber {
    store.snapshots().last_snapshot_number(scene.scope(), account).await.unwrap()
}

pub async fn an_account_has_one_snapshot_that_is_taken_and_one_of_each_number(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.id();
    kept_of(store, &scene, (account, 1), SnapshotStatus::Taking).await;
    let again = scene.samples.snapshot_of(scene.id(), account, 2, SnapshotStatus::Taking);
    assert_eq!(insert(store, [again.into()]).await.unwrap_err(), StoreError::Duplicate(Unique::TakenSnapshot));
    kept_of(store, &scene, (scene.samples.id(), 1), SnapshotStatus::Taking).await;
    kept_of(store, &scene, (account, 1), SnapshotStatus::Complete).await;
    let again = scene.samples.snapshot_of(scene.id(), account, 1, SnapshotStatus::Partial);
    assert_eq!(insert(store, [again.into()]).await.unwrap_err(), StoreError::Duplicate(Unique::SnapshotNumber));
    kept_of(store, &scene, (account, 2), SnapshotStatus::Partial).await;
}

/// An item of an account with its asset id.
async fn kept_item(store: &dyn Store, scene: &Scene, account: AccountId, asset: u64, span: Span) -> SnapshotItem {
    let item = scene.samples.snapshot_item(scene.id(), account, scene.samples.shown_item(asset), span);
    insert(store, [item.clone().into()]).await.unwrap();
    item
}

pub async fn items_are_read_by_the_snapshots_that_show_them(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.id();
    let stays = kept_item(store, &scene, account, 1, Span { from: 1, until: None }).await;
    let left = kept_item(store, &scene, account, 2, Span { from: 1, until: Some(3) }).await;
    let came = kept_item(store, &scene, account, 3, Span { from: 3, until: None }).await;
    kept_item(store, &scene, scene.samples.id(), 1, Span { from: 1, until: None }).await;
    let read = async |number, after: Option<SnapshotItemId>, most| {
        let slice = RecordBatch { after, most };
        values(store.snapshots().list_items_at(scene.scope(), (account, number), slice).await.unwrap())
    };
    assert_eq!(read(2, None, 9).await, [stays.clone(), left]);
    assert_eq!(read(3, None, 9).await, [stays.clone(), came.clone()]);
    assert_eq!(read(SnapshotNumber::MAX, None, 1).await, std::slice::from_ref(&stays));
    assert_eq!(read(SnapshotNumber::MAX, Some(stays.id), 9).await, [came]);
}

pub async fn an_account_shows_an_asset_once_at_a_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.id();
    kept_item(store, &scene, account, 1, Span { from: 1, until: Some(2) }).await;
    kept_item(store, &scene, account, 1, Span { from: 3, until: None }).await;
    kept_item(store, &scene, scene.samples.id(), 1, Span { from: 3, until: None }).await;
    let span = Span { from: 4, until: None };
    let again = scene.samples.snapshot_item(scene.id(), account, scene.samples.shown_item(1), span);
    assert_eq!(insert(store, [again.into()]).await.unwrap_err(), StoreError::Duplicate(Unique::ShownItem));
}

pub async fn items_that_no_snapshot_shows_are_found(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.id();
    kept_of(store, &scene, (account, 2), SnapshotStatus::Complete).await;
    kept_of(store, &scene, (account, 5), SnapshotStatus::Partial).await;
    kept_item(store, &scene, account, 1, Span { from: 2, until: Some(3) }).await;
    kept_item(store, &scene, account, 2, Span { from: 4, until: Some(6) }).await;
    kept_item(store, &scene, account, 3, Span { from: 6, until: None }).await;
    let unshown = kept_item(store, &scene, account, 4, Span { from: 3, until: Some(5) }).await;
    let empty = kept_item(store, &scene, account, 5, Span { from: 2, until: Some(2) }).await;
    let find = async |most| values(store.snapshots().list_unshown_items(scene.scope(), account, most).await.unwrap());
    let mut found = find(9).await;
    found.sort_by_key(|item| item.id);
    assert_eq!((found, find(1).await.len()), (vec![unshown, empty], 1));
}

pub async fn snapshots_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [SnapshotStatus::Complete, SnapshotStatus::Complete, SnapshotStatus::Failed] {
        kept(store, scene.samples.snapshot_in(scene.id(), status)).await;
    }
    let mut counts = store.counters().by_status(scene.scope(), Kind::Snapshot, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(SnapshotStatus::Complete.code(), 2), (SnapshotStatus::Failed.code(), 1)]);
}
