//! Promises about filter sets and their versions.

use tradepost_domain::contracts::contract::{Contract, ContractParts};
use tradepost_domain::contracts::filter_set::{FilterSet, FilterSetChange};
use tradepost_ports::changes::{AppendedRow, Seen};
use tradepost_ports::store::{Store, StoreError, Unique};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, revise, system, value, values};

pub async fn a_filter_set_with_every_rule_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let plain = scene.samples.filter_set(scene.id());
    let full = FilterSet { rules: scene.samples.every_rule(), contracts: 3, updated_at: minute(5), ..plain.clone() };
    let full = FilterSet { id: scene.samples.id(), version: 7, ..full };
    for set in [plain, full] {
        insert(store, [set.clone().into()]).await.unwrap();
        let mut changes = system();
        changes.append(AppendedRow::FilterSetVersion(set.current()));
        store.commit(changes).await.unwrap();
        assert_eq!(value(store.filter_sets().find(scene.scope(), set.id).await.unwrap()), Some(set.clone()));
        let version = store.filter_sets().find_version(scene.scope(), set.id, set.version).await.unwrap();
        assert_eq!(version, Some(set.current()));
    }
}

pub async fn a_filter_set_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let set = written(store, &home).await;
    assert_eq!(value(store.filter_sets().find(home.scope(), set.id).await.unwrap()), Some(set.clone()));
    assert_eq!(value(store.filter_sets().find(abroad.scope(), set.id).await.unwrap()), None);
    assert_eq!(values(store.filter_sets().find_many(abroad.scope(), &[set.id]).await.unwrap()), []);
    assert_eq!(store.filter_sets().find_version(abroad.scope(), set.id, 1).await.unwrap(), None);
    assert_eq!(value(store.filter_sets().find(home.scope(), home.samples.id()).await.unwrap()), None);
}

pub async fn several_filter_sets_leave_out_what_is_not_there(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, other) = (written(store, &scene).await, written(store, &scene).await);
    let ids = [other.id, scene.samples.id(), one.id];
    let mut found = values(store.filter_sets().find_many(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|set| set.id);
    assert_eq!(found, [one, other]);
}

pub async fn versions_stay_as_they_were_written(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let first = written(store, &scene).await;
    let change = FilterSetChange { name: Some(text("Renamed")), rules: Some(scene.samples.every_rule()) };
    let second = first.clone().change(change, minute(1));
    let mut changes = system();
    let seen = seen(store, &scene, &first).await;
    changes.revise(seen, |_| Ok::<_, StoreError>(second.clone())).unwrap();
    changes.append(AppendedRow::FilterSetVersion(second.current()));
    store.commit(changes).await.unwrap();
    let version = async |number| store.filter_sets().find_version(scene.scope(), first.id, number).await.unwrap();
    assert_eq!(version(1).await, Some(first.current()));
    assert_eq!(version(2).await, Some(second.current()));
    assert_eq!((version(0).await, version(3).await), (None, None));
    assert_eq!(value(store.filter_sets().find(scene.scope(), first.id).await.unwrap()), Some(second));
}

pub async fn a_version_is_never_written_over(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let set = written(store, &scene).await;
    let mut changes = system();
    changes.append(AppendedRow::FilterSetVersion(FilterSet { name: text("Other"), ..set.clone() }.current()));
    assert_eq!(store.commit(changes).await, Err(StoreError::Duplicate(Unique::Address)));
    let version = store.filter_sets().find_version(scene.scope(), set.id, 1).await.unwrap();
    assert_eq!(version, Some(set.current()));
}

pub async fn versions_outlive_their_filter_set(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let set = written(store, &scene).await;
    crate::store_contract::remove(store, seen(store, &scene, &set).await).await.unwrap();
    assert_eq!(value(store.filter_sets().find(scene.scope(), set.id).await.unwrap()), None);
    let version = store.filter_sets().find_version(scene.scope(), set.id, 1).await.unwrap();
    assert_eq!(version, Some(set.current()));
}

pub async fn of_a_contract_that_names_a_set_and_its_removal_one_is_refused(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let set = written(store, &scene).await;
    let before = seen(store, &scene, &set).await;
    revise(store, seen(store, &scene, &set).await, FilterSet::with_contract).await.unwrap();
    assert_eq!(crate::store_contract::remove(store, before).await, Err(StoreError::Conflict));
    let mut changes = system();
    let late = seen(store, &scene, &set).await;
    crate::store_contract::remove(store, late.clone()).await.unwrap();
    changes.revise(late, |set| Ok::<_, StoreError>(set.with_contract())).unwrap();
    let parts = scene.samples.contract_draft(scene.id()).into_parts();
    let contract = Contract::restore(ContractParts { filter_set_id: Some(set.id), ..parts }).unwrap();
    changes.insert(contract.clone());
    assert_eq!(store.commit(changes).await, Err(StoreError::Conflict));
    assert_eq!(value(store.contracts().find(scene.scope(), contract.id).await.unwrap()), None);
}

/// Writes a filter set with its first version.
async fn written(store: &dyn Store, scene: &Scene) -> FilterSet {
    let set = scene.samples.filter_set(scene.id());
    let mut changes = system();
    changes.insert(set.clone()).append(AppendedRow::FilterSetVersion(set.current()));
    store.commit(changes).await.unwrap();
    set
}

async fn seen(store: &dyn Store, scene: &Scene, set: &FilterSet) -> Seen<FilterSet> {
    store.filter_sets().find(scene.scope(), set.id).await.unwrap().unwrap()
}
