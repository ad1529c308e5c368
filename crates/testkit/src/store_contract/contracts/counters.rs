//! Promises about counters: they equal a count over all records.

use std::collections::BTreeMap;

use tradepost_domain::accounts::membership::{Event, Status};
use tradepost_domain::contracts::inventory_item::{ItemEvent, ItemStatus};
use tradepost_domain::contracts::pool::{PoolEvent, PoolStatus};
use tradepost_domain::contracts::purchase::{CancelCause, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::ContractId;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{Store, StoreError};

use crate::samples::{Scene, minute};
use crate::store_contract::{insert, remove, revise, system};

pub async fn a_workspace_without_records_counts_nothing(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    assert_eq!(count(store, &scene, Kind::Purchase, None).await, BTreeMap::new());
    assert_eq!(count(store, &scene, Kind::InventoryItem, None).await, BTreeMap::new());
    assert_eq!(count(store, &scene, Kind::Purchase, Some(scene.samples.id())).await, BTreeMap::new());
}

pub async fn counters_follow_inserts_and_revisions(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let first = scene.purchase(store, PurchaseStatus::Pending).await;
    scene.purchase(store, PurchaseStatus::Pending).await;
    scene.purchase(store, PurchaseStatus::Settled).await;
    let (pending, settled) = (PurchaseStatus::Pending.code(), PurchaseStatus::Settled.code());
    assert_eq!(count(store, &scene, Kind::Purchase, None).await, [(pending, 2), (settled, 1)].into());
    let seen = store.purchases().find(scene.scope(), first.terms.id).await.unwrap().unwrap();
    let withdrawn = PurchaseEvent::Cancelled(CancelCause::Withdrawn);
    revise(store, seen, |purchase| purchase.apply(withdrawn, minute(1)).unwrap()).await.unwrap();
    let cancelled = PurchaseStatus::Cancelled.code();
    let expected = [(pending, 1), (settled, 1), (cancelled, 1)].into();
    assert_eq!(count(store, &scene, Kind::Purchase, None).await, expected);
}

pub async fn counters_are_kept_for_each_contract(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let other = scene.samples.contract(scene.id());
    let elsewhere = scene.samples.purchase(scene.id(), other.id, PurchaseStatus::Paid);
    insert(store, [other.clone().into(), elsewhere.into()]).await.unwrap();
    scene.purchase(store, PurchaseStatus::Paid).await;
    scene.item(store, 2).await;
    let (paid, traded) = (PurchaseStatus::Paid.code(), PurchaseStatus::Traded.code());
    let here = Some(scene.contract.id);
    assert_eq!(count(store, &scene, Kind::Purchase, here).await, [(paid, 1), (traded, 1)].into());
    assert_eq!(count(store, &scene, Kind::Purchase, Some(other.id)).await, [(paid, 1)].into());
    assert_eq!(count(store, &scene, Kind::Purchase, None).await, [(paid, 2), (traded, 1)].into());
    let in_inventory = [(ItemStatus::InInventory.code(), 1)];
    assert_eq!(count(store, &scene, Kind::InventoryItem, here).await, in_inventory.into());
    assert_eq!(count(store, &scene, Kind::InventoryItem, Some(other.id)).await, BTreeMap::new());
}

pub async fn counters_of_workspaces_are_apart(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    home.purchase(store, PurchaseStatus::Pending).await;
    assert_eq!(count(store, &abroad, Kind::Purchase, None).await, BTreeMap::new());
    assert_eq!(count(store, &abroad, Kind::Purchase, Some(home.contract.id)).await, BTreeMap::new());
}

pub async fn members_and_contracts_are_counted(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let invited = scene.samples.invitation(scene.id(), &scene.samples.email());
    insert(store, [invited.clone().into(), scene.samples.contract_draft(scene.id()).into()]).await.unwrap();
    let memberships = count(store, &scene, Kind::Membership, None).await;
    assert_eq!(memberships, [(Status::Invited.code(), 1), (Status::Accepted.code(), 1)].into());
    let seen = store.memberships().find(scene.scope(), invited.id).await.unwrap().unwrap();
    revise(store, seen, |invited| invited.apply(Event::Decline, minute(1)).unwrap()).await.unwrap();
    let memberships = count(store, &scene, Kind::Membership, None).await;
    assert_eq!(memberships, [(Status::Accepted.code(), 1), (Status::Declined.code(), 1)].into());
    let contracts: i64 = count(store, &scene, Kind::Contract, None).await.values().sum();
    assert_eq!(contracts, 2);
}

pub async fn filter_sets_are_counted(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [kept, gone] = [home.samples.filter_set(home.id()), home.samples.filter_set(home.id())];
    insert(store, [kept.into(), gone.clone().into(), abroad.samples.filter_set(abroad.id()).into()]).await.unwrap();
    assert_eq!(count(store, &home, Kind::FilterSet, None).await, [(0, 2)].into());
    remove(store, store.filter_sets().find(home.scope(), gone.id).await.unwrap().unwrap()).await.unwrap();
    assert_eq!(count(store, &home, Kind::FilterSet, None).await, [(0, 1)].into());
}

pub async fn pools_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [kept, paused] = [scene.samples.pool(scene.id()), scene.samples.pool(scene.id())];
    insert(store, [kept.into(), paused.clone().into()]).await.unwrap();
    let seen = store.pools().find(scene.scope(), paused.id).await.unwrap().unwrap();
    revise(store, seen, |pool| pool.apply(PoolEvent::Paused, minute(1)).unwrap()).await.unwrap();
    let expected = [(PoolStatus::Active.code(), 1), (PoolStatus::Paused.code(), 1)];
    assert_eq!(count(store, &scene, Kind::Pool, None).await, expected.into());
}

pub async fn items_move_between_counters(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item_in(store, ItemStatus::Missing).await;
    let seen = store.items().find(scene.scope(), item.id).await.unwrap().unwrap();
    revise(store, seen, |item| item.apply(ItemEvent::GivenUp, minute(100_000)).unwrap().0).await.unwrap();
    let given_up = BTreeMap::from([(ItemStatus::WrittenOff.code(), 1)]);
    assert_eq!(count(store, &scene, Kind::InventoryItem, None).await, given_up);
    assert_eq!(count(store, &scene, Kind::InventoryItem, Some(scene.contract.id)).await, given_up);
}

pub async fn a_removed_record_is_not_counted(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let draft = scene.samples.contract_draft(scene.id());
    let before = count(store, &scene, Kind::Contract, None).await;
    insert(store, [draft.clone().into()]).await.unwrap();
    remove(store, store.contracts().find(scene.scope(), draft.id).await.unwrap().unwrap()).await.unwrap();
    assert_eq!(count(store, &scene, Kind::Contract, None).await, before);
}

pub async fn many_changes_of_one_set_are_counted_together(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut changes = system();
    for _ in 0..3 {
        changes.insert(scene.new_purchase(PurchaseStatus::Pending));
    }
    changes.insert(scene.new_purchase(PurchaseStatus::Failed));
    store.commit(changes).await.unwrap();
    let expected = [(PurchaseStatus::Pending.code(), 3), (PurchaseStatus::Failed.code(), 1)];
    assert_eq!(count(store, &scene, Kind::Purchase, Some(scene.contract.id)).await, expected.into());
}

pub async fn joined_changes_of_several_calls_are_one_commit(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let pending = PurchaseStatus::Pending;
    let joined = |purchases: [&Purchase; 2]| {
        let mut all = system();
        for purchase in purchases {
            let mut own = system();
            own.insert(purchase.clone());
            all.join(own);
        }
        all
    };
    let [one, other, third] = [pending; 3].map(|status| scene.new_purchase(status));
    store.commit(joined([&one, &other])).await.unwrap();
    let counted = BTreeMap::from([(pending.code(), 2)]);
    assert_eq!(count(store, &scene, Kind::Purchase, None).await, counted);
    assert_eq!(count(store, &scene, Kind::Purchase, Some(scene.contract.id)).await, counted);
    let refused = store.commit(joined([&third, &one])).await;
    assert!(matches!(refused, Err(StoreError::Duplicate(_))), "{refused:?}");
    assert_eq!(count(store, &scene, Kind::Purchase, None).await, counted);
    assert!(store.purchases().find(scene.scope(), third.terms.id).await.unwrap().is_none());
}

/// Returns the counters that are not zero.
async fn count(store: &dyn Store, scene: &Scene, kind: Kind, contract: Option<ContractId>) -> BTreeMap<i16, i64> {
    let counts = store.counters().by_status(scene.scope(), kind, contract).await.unwrap();
    counts.into_iter().filter(|(_, count)| *count != 0).collect()
}
