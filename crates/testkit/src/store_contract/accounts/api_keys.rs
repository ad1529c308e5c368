//! Promises about API keys: look-up, listing and the record of their use.

use tradepost_domain::accounts::api_key::{ApiKey, PepperId, TokenDigest};
use tradepost_domain::network::Networks;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{KeyUse, Store};

use crate::samples::{Scene, minute};
use crate::store_contract::{insert, revise, system, values};

pub async fn a_key_is_found_by_digest_with_what_bounds_it(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let found = store.api_keys().find_by_digest(&scene.key.digest).await.unwrap().unwrap();
    assert_eq!(found.key.into_display(), (scene.key.clone(), 1));
    assert_eq!(found.owner.into_display(), (scene.user.clone(), 1));
    assert_eq!(found.membership.into_display(), (scene.membership.clone(), 1));
}

pub async fn a_revoked_key_is_still_found_by_digest(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let full = ApiKey {
        networks: Networks::parse(["192.0.2.0/24", "2001:db8::7"]).unwrap(),
        expires_at: Some(minute(5)),
        revoked_at: Some(minute(1)),
        ..scene.samples.key(&scene.membership)
    };
    insert(store, [full.clone().into()]).await.unwrap();
    let found = store.api_keys().find_by_digest(&full.digest).await.unwrap().unwrap();
    assert_eq!(found.key.into_display().0, full);
}

pub async fn an_unknown_digest_is_none(store: &dyn Store) {
    Scene::founded(store, 1).await;
    assert!(store.api_keys().find_by_digest(&TokenDigest([0xff; 32])).await.unwrap().is_none());
}

pub async fn a_key_of_another_workspace_is_never_seen(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    assert!(store.api_keys().find(home.scope(), abroad.key.id).await.unwrap().is_none());
    assert!(store.api_keys().find(home.scope(), home.samples.id()).await.unwrap().is_none());
    assert_eq!(listed(store, &home, minute(0)).await, [home.key]);
}

pub async fn a_listing_shows_live_and_expired_keys_newest_first(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let key = |expires_at, revoked_at| ApiKey { expires_at, revoked_at, ..scene.samples.key(&scene.membership) };
    let expired = key(Some(minute(1)), None);
    let revoked = key(None, Some(minute(1)));
    let expiring = key(Some(minute(3)), None);
    insert(store, [expired.clone().into(), revoked.into(), expiring.clone().into()]).await.unwrap();
    assert_eq!(listed(store, &scene, minute(2)).await, [expiring, expired, scene.key.clone()]);
    assert_eq!(store.api_keys().count(scene.scope(), minute(2)).await.unwrap(), 3);
}

pub async fn a_listing_shows_the_hundred_keys_that_expired_last(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    // The later a key was created, the earlier it expired: the order of ids must not decide which ones are shown.
    let expired: Vec<ApiKey> = (0..103)
        .map(|age| ApiKey { expires_at: Some(minute(200 - age)), ..scene.samples.key(&scene.membership) })
        .collect();
    let mut changes = system();
    for key in &expired {
        changes.insert(key.clone());
    }
    store.commit(changes).await.unwrap();
    let shown: Vec<ApiKey> = std::iter::once(scene.key.clone()).chain(expired.into_iter().take(100)).rev().collect();
    assert_eq!(listed(store, &scene, minute(300)).await, shown);
    assert_eq!(store.api_keys().count(scene.scope(), minute(300)).await.unwrap(), 101);
}

pub async fn live_keys_are_counted_apart(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    Scene::founded(store, 2).await;
    let key = |expires_at, revoked_at| ApiKey { expires_at, revoked_at, ..scene.samples.key(&scene.membership) };
    let keys = [key(Some(minute(1)), None), key(None, Some(minute(1))), key(Some(minute(3)), None)];
    insert(store, keys.map(Into::into)).await.unwrap();
    // A key is rejected from the moment of its expiry on.
    for (at, live) in [(0, 3), (1, 2), (2, 2), (3, 1)] {
        assert_eq!(store.api_keys().count_live(scene.scope(), minute(at)).await.unwrap(), live, "in minute {at}");
    }
}

pub async fn the_live_keys_of_a_member_are_listed_oldest_first(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let user = scene.samples.user();
    let other = scene.samples.member(scene.workspace.id, user.id);
    let key = |expires_at, revoked_at| ApiKey { expires_at, revoked_at, ..scene.samples.key(&scene.membership) };
    let (expired, expiring) = (key(Some(minute(2)), None), key(Some(minute(3)), None));
    let (revoked, theirs) = (key(None, Some(minute(1))), scene.samples.key(&other));
    let records = [user.into(), other.clone().into(), expired.into(), expiring.clone().into(), revoked.into()];
    insert(store, records).await.unwrap();
    insert(store, [theirs.clone().into()]).await.unwrap();
    for (membership, keys) in [(&scene.membership, vec![scene.key.clone(), expiring]), (&other, vec![theirs])] {
        assert_eq!(values(store.api_keys().list_of_member(membership, minute(2)).await.unwrap()), keys);
    }
}

pub async fn a_key_that_was_never_used_has_no_last_use(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    assert_eq!(last_use(store, &scene).await, None);
}

pub async fn a_last_use_never_moves_back(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let other = scene.samples.key(&scene.membership);
    insert(store, [other.clone().into()]).await.unwrap();
    for (used, last) in [(5, 5), (3, 5), (8, 8)] {
        store.api_keys().touch(&[used_at(&scene.key, used)]).await.unwrap();
        assert_eq!(last_use(store, &scene).await, Some(minute(last)));
    }
    store.api_keys().touch(&[used_at(&scene.key, 7), used_at(&other, 2), used_at(&scene.key, 9)]).await.unwrap();
    assert_eq!(last_use(store, &scene).await, Some(minute(9)));
    let shown = store.api_keys().list(scene.scope(), minute(0)).await.unwrap();
    assert_eq!(shown.first().unwrap().last_used_at, Some(minute(2)));
    store.api_keys().touch(&[]).await.unwrap();
}

pub async fn a_use_changes_no_version(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let before = store.api_keys().find(scene.scope(), scene.key.id).await.unwrap().unwrap().key;
    store.api_keys().touch(&[used_at(&scene.key, 1)]).await.unwrap();
    let mut changes = system();
    changes.rely_on(before);
    assert!(store.commit(changes).await.is_ok());
}

pub async fn a_last_use_outlives_a_revision(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    store.api_keys().touch(&[used_at(&scene.key, 4)]).await.unwrap();
    let key = store.api_keys().find(scene.scope(), scene.key.id).await.unwrap().unwrap().key;
    revise(store, key, |key| key.revoke(minute(5)).unwrap()).await.unwrap();
    assert_eq!(last_use(store, &scene).await, Some(minute(4)));
}

async fn listed(store: &dyn Store, scene: &Scene, at: Timestamp) -> Vec<ApiKey> {
    let keys = store.api_keys().list(scene.scope(), at).await.unwrap();
    keys.into_iter().map(|listed| listed.key.into_display().0).collect()
}

async fn last_use(store: &dyn Store, scene: &Scene) -> Option<Timestamp> {
    store.api_keys().find(scene.scope(), scene.key.id).await.unwrap().unwrap().last_used_at
}

fn used_at(key: &ApiKey, minutes: i64) -> KeyUse {
    KeyUse { workspace_id: key.workspace_id, key_id: key.id, at: minute(minutes) }
}

pub async fn a_key_is_redigested_once_and_stays_the_same(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let newer = [1, 2].map(|byte| (TokenDigest([byte; 32]), PepperId(i32::from(byte) - 3)));
    for (digest, pepper) in newer {
        store.api_keys().replace_digest(&scene.key, digest, pepper).await.unwrap();
    }
    let (digest, pepper) = newer[0];
    let found = store.api_keys().find_by_digest(&digest).await.unwrap().unwrap().key.into_display();
    assert_eq!(found, (ApiKey { digest, pepper: Some(pepper), ..scene.key.clone() }, 1));
    for absent in [scene.key.digest, newer[1].0] {
        assert!(store.api_keys().find_by_digest(&absent).await.unwrap().is_none());
    }
}
