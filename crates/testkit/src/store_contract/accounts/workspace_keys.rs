//! Promises about the keys and secrets of workspaces.

use tradepost_domain::accounts::workspace_key::{SYSTEM, WorkspaceKey, WorkspaceSecret};
use tradepost_domain::id::Id;
use tradepost_ports::store::{SecretColumn, Store, StoreError, Unique};

use crate::samples::{Scene, minute};
use crate::store_contract::{insert, revise, values};

pub async fn a_key_in_every_state_is_read_back_whole(store: &dyn Store) {
    let home = Scene::founded(store, 1).await;
    let destroyed = home.samples.workspace_key(home.id(), 1).retire(minute(1)).unwrap().destroy(0, minute(2)).unwrap();
    let retired = home.samples.workspace_key(home.id(), 2).retire(minute(3)).unwrap();
    let active = home.samples.workspace_key(home.id(), 3);
    let all = [destroyed, retired, active];
    insert(store, all.clone().map(Into::into)).await.unwrap();
    assert_eq!(values(store.workspace_keys().list(home.scope()).await.unwrap()), all);
}

pub async fn a_workspace_has_each_number_of_a_key_once(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let key = |number| home.samples.workspace_key(home.id(), number);
    insert(store, [key(1).into(), abroad.samples.workspace_key(abroad.id(), 1).into()]).await.unwrap();
    let taken = Err(StoreError::Duplicate(Unique::WorkspaceKey));
    assert_eq!(insert(store, [key(1).retire(minute(1)).unwrap().into()]).await, taken);
}

pub async fn a_key_is_retired_and_the_next_one_made_in_one_commit(store: &dyn Store) {
    let home = Scene::founded(store, 1).await;
    let old = home.samples.workspace_key(home.id(), 1);
    // The clock of the node that creates the next one is behind.
    let new = WorkspaceKey { id: Id::from_bytes([0; 16]), ..home.samples.workspace_key(home.id(), 2) };
    insert(store, [old.clone().into()]).await.unwrap();
    let seen = store.workspace_keys().list(home.scope()).await.unwrap().pop().unwrap();
    let mut changes = crate::store_contract::system();
    changes.insert(new.clone());
    changes.revise(seen, |key| key.retire(minute(1))).unwrap();
    store.commit(changes).await.unwrap();
    let keys = values(store.workspace_keys().list(home.scope()).await.unwrap());
    assert_eq!(keys, [old.retire(minute(1)).unwrap(), new]);
}

pub async fn a_secret_is_found_by_its_place_with_the_key_that_sealed_it(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let secret = home.samples.workspace_secret(home.id(), 2);
    let old = home.samples.workspace_key(home.id(), 1).retire(minute(1)).unwrap();
    let (key, foreign) = (home.samples.workspace_key(home.id(), 2), abroad.samples.workspace_key(abroad.id(), 2));
    insert(store, [old.into(), key.clone().into(), foreign.into(), secret.clone().into()]).await.unwrap();
    let found = store.workspace_secrets().find(home.scope(), &secret.place).await.unwrap().unwrap();
    assert_eq!((found.secret.into_display().0, found.key), (secret.clone(), key));
    assert!(store.workspace_secrets().find(abroad.scope(), &secret.place).await.unwrap().is_none());
    let same = WorkspaceSecret { place: secret.place.clone(), ..home.samples.workspace_secret(home.id(), 1) };
    assert_eq!(insert(store, [same.into()]).await, Err(StoreError::Duplicate(Unique::SecretPlace)));
}

pub async fn secrets_of_several_rows_are_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [first, second, other] = [(); 3].map(|()| home.samples.workspace_secret(home.id(), 1));
    let key = home.samples.workspace_key(home.id(), 1);
    insert(store, [key.clone().into(), first.clone().into(), second.clone().into(), other.into()]).await.unwrap();
    let rows = [first.place.row, second.place.row, home.samples.id::<()>().to_bytes()];
    let column = SecretColumn { table: first.place.table.as_str(), column: first.place.column.as_str() };
    let found = store.workspace_secrets().find_rows(home.scope(), column, &rows).await.unwrap();
    assert!(found.iter().all(|found| found.key == key));
    let mut found: Vec<WorkspaceSecret> = found.into_iter().map(|found| found.secret.into_display().0).collect();
    found.sort_by_key(|secret| secret.id);
    assert_eq!(found, [first.clone(), second.clone()]);
    let elsewhere = SecretColumn { column: "other", ..column };
    assert!(store.workspace_secrets().find_rows(home.scope(), elsewhere, &rows).await.unwrap().is_empty());
    assert!(store.workspace_secrets().find_rows(abroad.scope(), column, &rows).await.unwrap().is_empty());
}

pub async fn secrets_are_counted_by_key(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let secret = |scene: &Scene, number| scene.samples.workspace_secret(scene.id(), number).into();
    insert(store, [secret(&home, 1), secret(&home, 2), secret(&home, 2), secret(&abroad, 1)]).await.unwrap();
    let mut counts = store.workspace_secrets().count_by_key(home.scope()).await.unwrap();
    counts.sort_unstable();
    assert_eq!(counts, [(1, 1), (2, 2)]);
}

pub async fn secrets_under_a_key_are_listed_some_at_a_time(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [first, second, other] = [1, 1, 2].map(|number| home.samples.workspace_secret(home.id(), number));
    let foreign = abroad.samples.workspace_secret(abroad.id(), 1);
    insert(store, [second.clone(), first.clone(), other, foreign].map(Into::into)).await.unwrap();
    let list =
        async |after, most| values(store.workspace_secrets().list_under(home.scope(), 1, after, most).await.unwrap());
    assert_eq!(list(None, 10).await, [first.clone(), second.clone()]);
    assert_eq!(list(None, 1).await, std::slice::from_ref(&first));
    assert_eq!(list(Some(first.id), 10).await, std::slice::from_ref(&second));
    assert_eq!(list(Some(second.id), 10).await, []);
}

pub async fn keys_that_are_not_destroyed_are_listed_over_all_workspaces(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let destroyed = home.samples.workspace_key(home.id(), 1).retire(minute(1)).unwrap().destroy(0, minute(2)).unwrap();
    let mut kept = [
        home.samples.workspace_key(home.id(), 2).retire(minute(3)).unwrap(),
        home.samples.workspace_key(home.id(), 3),
        abroad.samples.workspace_key(abroad.id(), 1),
        home.samples.workspace_key(SYSTEM, 1),
    ];
    insert(store, kept.clone().map(Into::into)).await.unwrap();
    insert(store, [destroyed.into()]).await.unwrap();
    kept.sort_by_key(|key| key.id);
    let list = async |after, most| values(store.workspace_keys().list_all(after, most).await.unwrap());
    assert_eq!(list(None, 10).await, kept);
    assert_eq!(list(None, 3).await, kept[..3]);
    assert_eq!(list(Some(kept[2].id), 10).await, kept[3..]);
}

pub async fn retired_keys_are_in_use_until_the_last_secret_is_under_another_one(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let mut retired = Vec::new();
    for scene in [&home, &abroad] {
        let [old, new] = [1, 2].map(|number| scene.samples.workspace_key(scene.id(), number));
        let old = old.retire(minute(1)).unwrap();
        let [left, done] = [1, 2].map(|number| scene.samples.workspace_secret(scene.id(), number));
        insert(store, [old.clone().into(), new.into(), left.into(), done.into()]).await.unwrap();
        retired.push(old);
    }
    retired.sort_by_key(|key| key.id);
    let list = async |after, most| values(store.workspace_keys().list_retired_in_use(after, most).await.unwrap());
    assert_eq!(list(None, 10).await, retired);
    assert_eq!(list(None, 1).await, retired[..1]);
    assert_eq!(list(Some(retired[0].id), 10).await, retired[1..]);
    let left = store.workspace_secrets().list_under(abroad.scope(), 1, None, 1).await.unwrap().pop().unwrap();
    revise(store, left, |secret| WorkspaceSecret { key_number: 2, ..secret }).await.unwrap();
    retired.retain(|key| key.workspace_id == home.id());
    assert_eq!(list(None, 10).await, retired);
}
