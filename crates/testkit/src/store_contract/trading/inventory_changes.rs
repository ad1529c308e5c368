//! Promises about inventory changes: they are read back as they were written, only at home, and orphans are found until they are reported.

use tradepost_domain::trading::inventory_change::{ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::{ChangeKind, Explanation};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{InventoryChangeFilter, PageRequest, RecordBatch, Store};

use crate::samples::{Scene, minute, start};
use crate::store_contract::{insert, values};

async fn kept(store: &dyn Store, change: InventoryChange) -> InventoryChange {
    insert(store, [change.clone().into()]).await.unwrap();
    change
}

pub async fn an_inventory_change_in_every_status_and_of_every_kind_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let in_status = ChangeStatus::ALL.iter().map(|status| scene.samples.inventory_change_in(scene.id(), *status));
    let of_kind = ChangeKind::ALL.iter().map(|kind| scene.samples.inventory_change(scene.id(), *kind));
    for change in in_status.chain(of_kind) {
        let change = kept(store, change.reported(minute(5))).await;
        let found = store.inventory_changes().find_inventory_changes(scene.scope(), &[change.id]).await.unwrap();
        assert_eq!(values(found), [change]);
    }
}

pub async fn an_inventory_change_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let one = kept(store, home.samples.inventory_change(home.id(), ChangeKind::Appeared)).await;
    let other = kept(store, home.samples.inventory_change(home.id(), ChangeKind::Disappeared)).await;
    let ids = [one.id, home.samples.id(), other.id];
    let mut found = values(store.inventory_changes().find_inventory_changes(home.scope(), &ids).await.unwrap());
    found.sort_by_key(|change| change.id);
    assert_eq!(found, [one, other]);
    assert_eq!(values(store.inventory_changes().find_inventory_changes(abroad.scope(), &ids).await.unwrap()), []);
    let orphans = store.inventory_changes().list_unreported_orphans(abroad.scope(), minute(60), 9).await.unwrap();
    assert_eq!(values(orphans), []);
}

pub async fn inventory_changes_are_listed_by_account_kind_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.id();
    let of =
        |kind, explained: Option<Explanation>| scene.samples.inventory_change_of(scene.id(), account, kind, explained);
    let came = kept(store, of(ChangeKind::Appeared, None)).await.id;
    let explained = kept(store, of(ChangeKind::Appeared, Some(Explanation::SameItem))).await.id;
    let left = kept(store, of(ChangeKind::Disappeared, None)).await.id;
    let elsewhere = kept(store, scene.samples.inventory_change(scene.id(), ChangeKind::Appeared)).await.id;
    let listed = async |filter| {
        let page = PageRequest { before: None, limit: 9 };
        store.inventory_changes().list_inventory_changes(scene.scope(), filter, page).await.unwrap().ids
    };
    let (all, account_id) = (InventoryChangeFilter::default(), Some(account));
    let (kind, status) = (Some(ChangeKind::Appeared), Some(ChangeStatus::Open));
    assert_eq!(listed(all).await, [elsewhere, left, explained, came]);
    assert_eq!(listed(InventoryChangeFilter { account_id, ..all }).await, [left, explained, came]);
    assert_eq!(listed(InventoryChangeFilter { kind, ..all }).await, [elsewhere, explained, came]);
    assert_eq!(listed(InventoryChangeFilter { status, ..all }).await, [elsewhere, left, came]);
    assert_eq!(listed(InventoryChangeFilter { kind, status, ..all }).await, [elsewhere, came]);
    assert_eq!(listed(InventoryChangeFilter { account_id, kind, ..all }).await, [explained, came]);
    assert_eq!(listed(InventoryChangeFilter { account_id, status, ..all }).await, [left, came]);
    assert_eq!(listed(InventoryChangeFilter { account_id, kind, status }).await, [came]);
}

pub async fn the_changes_to_a_snapshot_are_read_a_slice_at_a_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let one = kept(store, scene.samples.inventory_change(scene.id(), ChangeKind::Appeared)).await;
    let with_one = |change: InventoryChange| InventoryChange { between: one.between, ..change };
    let two = kept(store, with_one(scene.samples.inventory_change(scene.id(), ChangeKind::Disappeared))).await;
    kept(store, scene.samples.inventory_change(scene.id(), ChangeKind::Disappeared)).await;
    let read = async |after, most| {
        let (changes, slice) = (store.inventory_changes(), RecordBatch { after, most });
        values(changes.list_changes_to(scene.scope(), one.between.to, slice).await.unwrap())
    };
    assert_eq!(read(None, 1).await, std::slice::from_ref(&one));
    assert_eq!(read(Some(one.id), 9).await, [two]);
}

pub async fn orphans_are_found_by_age_until_they_are_reported(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let made = |minutes| {
        let change = scene.samples.inventory_change(scene.id(), ChangeKind::Appeared);
        InventoryChange { created_at: minute(minutes), updated_at: minute(minutes), ..change }
    };
    let late = kept(store, made(5)).await;
    let early = kept(store, made(1)).await;
    kept(store, made(2).reported(minute(3))).await;
    kept(store, InventoryChange { inventory_item_id: Some(scene.samples.id()), ..made(2) }).await;
    for status in [ChangeStatus::Explained, ChangeStatus::Matched, ChangeStatus::Ignored] {
        kept(store, scene.samples.inventory_change_in(scene.id(), status)).await;
    }
    kept(store, scene.samples.inventory_change(scene.id(), ChangeKind::Disappeared)).await;
    let found = async |before, most| {
        values(store.inventory_changes().list_unreported_orphans(scene.scope(), before, most).await.unwrap())
    };
    assert_eq!(found(minute(6), 9).await, [early.clone(), late]);
    assert_eq!(found(minute(5), 9).await, std::slice::from_ref(&early));
    assert_eq!((found(minute(6), 1).await, found(start(), 9).await), (vec![early], Vec::new()));
}

pub async fn inventory_changes_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [ChangeStatus::Open, ChangeStatus::Open, ChangeStatus::Ignored] {
        kept(store, scene.samples.inventory_change_in(scene.id(), status)).await;
    }
    let mut counts = store.counters().by_status(scene.scope(), Kind::InventoryChange, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(ChangeStatus::Open.code(), 2), (ChangeStatus::Ignored.code(), 1)]);
}
