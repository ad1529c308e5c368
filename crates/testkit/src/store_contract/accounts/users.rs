//! Promises about users, linked identities and mailed links.

use tradepost_domain::accounts::email_link::{EmailLink, Purpose, PurposeKind};
use tradepost_domain::accounts::membership::Event;
use tradepost_domain::accounts::preferences::{Locale, Preferences, TimeZone};
use tradepost_domain::accounts::user::User;
use tradepost_ports::store::Store;

use crate::fakes::FakePasswords;
use crate::samples::{Samples, Scene, email, minute, start};
use crate::store_contract::{insert, remove, value, values};

pub async fn an_unknown_user_is_none(store: &dyn Store) {
    let samples = Samples::seeded(1);
    insert(store, [samples.user().into()]).await.unwrap();
    assert_eq!(value(store.users().find(samples.id()).await.unwrap()), None);
    assert_eq!(value(store.users().find_by_email(&samples.email()).await.unwrap()), None);
}

pub async fn a_user_is_read_back_whole(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let full = User {
        preferences: Preferences {
            locale: Some(Locale::new("de-CH").unwrap()),
            time_zone: Some(TimeZone::new("Europe/Zurich").unwrap()),
        },
        email_changed_at: Some(minute(1)),
        disabled: true,
        updated_at: minute(2),
        ..samples.user()
    };
    for user in [full, samples.user_without_email()] {
        insert(store, [user.clone().into()]).await.unwrap();
        let (read, version) = store.users().find(user.id).await.unwrap().unwrap().into_display();
        assert_eq!((read, version), (user, 1));
    }
}

pub async fn several_users_leave_out_who_is_not_there(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [wanted, also, other] = [samples.user(), samples.user(), samples.user()];
    insert(store, [wanted.clone().into(), also.clone().into(), other.into()]).await.unwrap();
    let mut found = values(store.users().find_many(&[also.id, samples.id(), wanted.id]).await.unwrap());
    found.sort_by_key(|user| user.id);
    assert_eq!(found, [wanted, also]);
    assert!(store.users().find_many(&[]).await.unwrap().is_empty());
}

pub async fn a_user_is_found_by_address_in_any_case(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = User { email: Some(email("Ada.Sample@Example.com")), ..samples.user() };
    insert(store, [user.clone().into(), samples.user().into()]).await.unwrap();
    let found = value(store.users().find_by_email(&email("ada.sample@example.COM")).await.unwrap()).unwrap();
    assert_eq!(found.id, user.id);
    assert_eq!(found.email.unwrap().as_str(), "Ada.Sample@Example.com", "kept as it was typed");
}

pub async fn users_are_noticed_once_there_are_any(store: &dyn Store) {
    assert!(!store.users().has_any().await.unwrap());
    insert(store, [Samples::seeded(1).user().into()]).await.unwrap();
    assert!(store.users().has_any().await.unwrap());
}

pub async fn users_see_themselves_and_the_members_of_their_workspaces(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [fellow, gone, waiting] = [home.samples.user(), home.samples.user(), home.samples.user()];
    let member = home.samples.member(home.id(), fellow.id);
    let left = home.samples.member(home.id(), gone.id).apply(Event::Leave, start()).unwrap();
    let suspended = home.samples.member(home.id(), waiting.id).apply(Event::Suspend, start()).unwrap();
    insert(store, [fellow.clone().into(), gone.clone().into(), waiting.clone().into()]).await.unwrap();
    insert(store, [member.into(), left.into(), suspended.into()]).await.unwrap();
    let everybody = [gone.id, abroad.user.id, fellow.id, waiting.id, home.user.id];
    let seen = async |scopes: &[_]| {
        let seen = values(store.users().find_fellows(home.user.id, scopes, &everybody).await.unwrap());
        let mut ids: Vec<_> = seen.into_iter().map(|user| user.id).collect();
        ids.sort_unstable();
        ids
    };
    let sorted = |mut ids: Vec<_>| {
        ids.sort_unstable();
        ids
    };
    let of_home = vec![home.user.id, fellow.id, waiting.id];
    assert_eq!(seen(&[home.scope()]).await, sorted(of_home.clone()));
    let of_both = [of_home, vec![abroad.user.id]].concat();
    assert_eq!(seen(&[home.scope(), abroad.scope()]).await, sorted(of_both));
    assert_eq!(seen(&[]).await, [home.user.id]);
}

pub async fn linked_identities_are_counted_by_user(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [one, other] = [samples.user(), samples.user()];
    insert(store, [one.clone().into(), other.clone().into()]).await.unwrap();
    let linked = [samples.linked_identity(one.id).into(), samples.linked_identity(one.id).into()];
    insert(store, linked).await.unwrap();
    assert_eq!(store.account_links().count_identities(one.id).await.unwrap(), 2);
    assert_eq!(store.account_links().count_identities(other.id).await.unwrap(), 0);
}

pub async fn linked_identities_are_listed_by_user_oldest_first(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [one, other] = [samples.user(), samples.user()];
    let (first, second) = (samples.linked_identity(one.id), samples.linked_identity(one.id));
    let elsewhere = samples.linked_identity(other.id);
    let identities = [second.clone().into(), first.clone().into(), elsewhere.into()];
    insert(store, [one.clone().into(), other.into()]).await.unwrap();
    insert(store, identities).await.unwrap();
    assert_eq!(values(store.account_links().list_identities(one.id).await.unwrap()), [first, second]);
}

pub async fn a_link_is_found_by_its_user_and_purpose(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [one, other] = [samples.user(), samples.user()];
    let link = samples.email_link(one.id);
    insert(store, [one.clone().into(), other.clone().into(), link.clone().into()]).await.unwrap();
    let kind = link.purpose.kind();
    assert_eq!(value(store.email_links().find_own(one.id, kind).await.unwrap()), Some(link));
    assert_eq!(value(store.email_links().find_own(other.id, kind).await.unwrap()), None);
    assert_eq!(value(store.email_links().find_own(one.id, PurposeKind::Reset).await.unwrap()), None);
}

pub async fn an_email_link_is_found_by_its_digest_until_it_is_removed(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    let link = samples.email_link(user.id);
    insert(store, [user.into(), link.clone().into()]).await.unwrap();
    let seen = store.email_links().find(&link.digest).await.unwrap().unwrap();
    assert_eq!(*seen.peek(), link);
    remove(store, seen).await.unwrap();
    assert_eq!(value(store.email_links().find(&link.digest).await.unwrap()), None);
}

pub async fn an_email_link_of_every_purpose_is_read_back_whole(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    insert(store, [user.clone().into()]).await.unwrap();
    let purposes = [
        Purpose::Add { email: samples.email(), hash: FakePasswords::hash_of(Samples::PASSWORD) },
        Purpose::Change { to: samples.email() },
        Purpose::Revert { to: samples.email() },
        Purpose::Reset { to: samples.email() },
    ];
    for purpose in purposes {
        let link = EmailLink { purpose, ..samples.email_link(user.id) };
        insert(store, [link.clone().into()]).await.unwrap();
        assert_eq!(value(store.email_links().find(&link.digest).await.unwrap()), Some(link));
    }
}

pub async fn the_latest_link_to_an_address_is_found_by_purpose_in_any_case(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let (first, second) = (samples.user_without_email(), samples.user_without_email());
    let to = |text: &str| Purpose::Reset { to: email(text) };
    let old = EmailLink { purpose: to("ada@example.com"), ..samples.email_link(first.id) };
    let new = EmailLink { purpose: to("Ada@Example.com"), created_at: minute(1), ..samples.email_link(second.id) };
    let elsewhere = samples.email_link(first.id);
    let records = [first.into(), second.into(), new.clone().into(), old.into(), elsewhere.into()];
    insert(store, records).await.unwrap();
    let address = email("ADA@example.com");
    assert_eq!(value(store.email_links().find_to(&address, PurposeKind::Reset).await.unwrap()), Some(new));
    assert_eq!(value(store.email_links().find_to(&address, PurposeKind::Change).await.unwrap()), None);
}
