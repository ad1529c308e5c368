//! Promises about friends: they are read back as they were written, only at home, and an account has a record of another one once.

use tradepost_domain::trading::friend::{Friend, FriendAction, FriendFailure, FriendKey, FriendRelation, SendResult};
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{FriendFilter, PageRequest, Store, StoreError, Unique};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, value, values};

async fn kept(store: &dyn Store, friend: Friend) -> Friend {
    insert(store, [friend.clone().into()]).await.unwrap();
    friend
}

pub async fn a_friend_in_every_relation_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for relation in FriendRelation::ALL {
        let friend = kept(store, scene.samples.friend(scene.id(), scene.samples.id(), *relation)).await;
        let read = value(store.friends().find(scene.scope(), friend.id).await.unwrap());
        assert_eq!(read, Some(friend), "{relation}");
    }
}

pub async fn what_is_asked_of_a_friend_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let asked = || {
        let friend = scene.samples.friend(scene.id(), scene.samples.id(), FriendRelation::Friend);
        friend.ask(FriendAction::Remove, minute(1)).unwrap()
    };
    let sent = || asked().sending(minute(2)).unwrap();
    let failed = sent().answered(SendResult::Rejected(FriendFailure::Rejected), minute(3));
    let done = sent().answered(SendResult::Done, minute(3));
    let key = FriendKey { id: scene.samples.id(), workspace_id: scene.id(), account_id: scene.samples.id() };
    let noted = Friend::asked_for(key, scene.samples.platform_user(), Some(text("met at a trade")), start());
    for friend in [asked(), sent(), failed, done, noted] {
        let friend = kept(store, friend).await;
        assert_eq!(value(store.friends().find(scene.scope(), friend.id).await.unwrap()), Some(friend));
    }
}

pub async fn a_friend_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let account = home.samples.id();
    let friend = home.samples.friend(home.id(), account, FriendRelation::Friend);
    let friend = kept(store, friend.ask(FriendAction::Block, minute(1)).unwrap()).await;
    for (scope, found) in [(home.scope(), Some(friend.clone())), (abroad.scope(), None)] {
        let all: Vec<Friend> = found.clone().into_iter().collect();
        assert_eq!(value(store.friends().find(scope, friend.id).await.unwrap()), found);
        assert_eq!(value(store.friends().find_user(scope, account, friend.user).await.unwrap()), found);
        assert_eq!(values(store.friends().find_many(scope, &[friend.id]).await.unwrap()), all);
        assert_eq!(values(store.friends().list_of(scope, account).await.unwrap()), all);
        assert_eq!(values(store.friends().list_open(scope, 9).await.unwrap()), all);
    }
}

pub async fn friends_are_listed_by_account_and_relation(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, other) = (scene.samples.id(), scene.samples.id());
    let make = async |account, relation| kept(store, scene.samples.friend(scene.id(), account, relation)).await.id;
    let first = make(one, FriendRelation::Friend).await;
    let second = make(one, FriendRelation::TheyAsked).await;
    let third = make(other, FriendRelation::Friend).await;
    let listed = async |account_id, relation| {
        let page = PageRequest { before: None, limit: 9 };
        store.friends().list(scene.scope(), FriendFilter { account_id, relation }, page).await.unwrap().ids
    };
    assert_eq!(listed(None, None).await, [third, second, first]);
    assert_eq!(listed(Some(one), None).await, [second, first]);
    assert_eq!(listed(None, Some(FriendRelation::Friend)).await, [third, first]);
    assert_eq!(listed(Some(one), Some(FriendRelation::Friend)).await, [first]);
}

pub async fn friends_are_open_until_what_is_asked_is_settled(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let friend = || scene.samples.friend(scene.id(), scene.samples.id(), FriendRelation::Friend);
    let asked = || friend().ask(FriendAction::Remove, minute(1)).unwrap();
    let (first, second) = (kept(store, asked()).await, kept(store, asked().sending(minute(2)).unwrap()).await);
    kept(store, asked().sending(minute(2)).unwrap().answered(SendResult::Done, minute(3))).await;
    kept(store, friend()).await;
    assert_eq!(values(store.friends().list_open(scene.scope(), 1).await.unwrap()), std::slice::from_ref(&first));
    assert_eq!(values(store.friends().list_open(scene.scope(), 9).await.unwrap()), [first, second]);
}

pub async fn an_account_has_another_one_as_a_friend_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let friend = kept(store, scene.samples.friend(scene.id(), scene.samples.id(), FriendRelation::Friend)).await;
    let again = |account_id| {
        let key = FriendKey { id: scene.samples.id(), workspace_id: scene.id(), account_id };
        Friend::asked_for(key, friend.user, None, start())
    };
    let refused = insert(store, [again(friend.account_id).into()]).await;
    assert_eq!(refused.unwrap_err(), StoreError::Duplicate(Unique::Friend));
    kept(store, again(scene.samples.id())).await;
}

pub async fn friends_are_counted_by_relation(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for relation in [FriendRelation::Friend, FriendRelation::Friend, FriendRelation::Blocked] {
        kept(store, scene.samples.friend(scene.id(), scene.samples.id(), relation)).await;
    }
    let mut counts = store.counters().by_status(scene.scope(), Kind::Friend, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(FriendRelation::Friend.code(), 2), (FriendRelation::Blocked.code(), 1)]);
}

pub async fn the_readings_of_an_account_are_read_back_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let account = home.samples.id();
    let list = FriendList::unread(home.id(), account).requested(minute(1)).read(minute(2));
    let never = FriendList::unread(home.id(), home.samples.id());
    insert(store, [list.into(), never.into()]).await.unwrap();
    assert_eq!(value(store.friends().find_reading(home.scope(), account).await.unwrap()), Some(list));
    assert_eq!(value(store.friends().find_reading(abroad.scope(), account).await.unwrap()), None);
    let mut all = values(store.friends().list_readings(home.scope()).await.unwrap());
    all.sort_by_key(|list| list.account_id);
    assert_eq!(all, [list, never]);
    assert_eq!(values(store.friends().list_readings(abroad.scope()).await.unwrap()), []);
}
