//! Promises about the division of a workspace's work among nodes.

use tradepost_domain::trading::lease::{Lease, Work};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{Store, StoreError, Unique};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, revise, values};

fn lease(scene: &Scene, work: Work, holder: Option<&str>) -> Lease {
    let holder = holder.map(text);
    Lease { id: scene.samples.id(), workspace_id: scene.id(), work, holder, renewed_at: minute(1) }
}

pub async fn a_lease_is_read_back_whole_and_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let all = [
        lease(&home, Work::Presence(text("node-1")), Some("node-1")),
        lease(&home, Work::Marketplace(text("simulated")), Some("node-1")),
        lease(&home, Work::Inventory, None),
    ];
    for lease in &all {
        insert(store, [lease.clone().into()]).await.unwrap();
    }
    let mut found = values(store.leases().find_many(home.scope()).await.unwrap());
    found.sort_by_key(|lease| lease.id);
    assert_eq!(found, all);
    assert_eq!(values(store.leases().find_many(abroad.scope()).await.unwrap()), []);
}

pub async fn a_part_of_the_work_has_one_lease(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    insert(store, [lease(&scene, Work::Inventory, Some("node-1")).into()]).await.unwrap();
    let refused = insert(store, [lease(&scene, Work::Inventory, Some("node-2")).into()]).await;
    assert_eq!(refused, Err(StoreError::Duplicate(Unique::Lease)));
    let other = lease(&scene, Work::Marketplace(text("simulated")), Some("node-2"));
    insert(store, [other.into()]).await.unwrap();
}

pub async fn who_held_a_lease_at_an_earlier_version_writes_nothing(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    insert(store, [lease(&scene, Work::Inventory, Some("node-1")).into()]).await.unwrap();
    let seen = store.leases().find_many(scene.scope()).await.unwrap().remove(0);
    let former = Caller { guards: vec![seen.stamp()], ..Caller::system() };
    revise(store, seen, |lease| Lease { holder: Some(text("node-2")), ..lease }).await.unwrap();
    let mut changes = Changes::by(&former);
    changes.put(scene.samples.totp(scene.user.id));
    assert_eq!(store.commit(changes).await, Err(StoreError::CallerChanged));
}
