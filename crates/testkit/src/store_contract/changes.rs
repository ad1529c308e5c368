//! Promises about a commit: guards, versions, all or nothing.

use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::user::User;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::text::Name;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Committed, Seen};
use tradepost_ports::record::Record;
use tradepost_ports::store::{Store, StoreError, Unique};

use super::{insert, remove, revise, system, value};
use crate::samples::{Samples, Scene, minute, text};

const APPLIED: Committed = Committed::Applied { links: Vec::new() };

pub async fn an_empty_set_is_applied(store: &dyn Store) {
    assert_eq!(store.commit(system()).await, Ok(APPLIED));
}

pub async fn versions_count_from_one(store: &dyn Store) {
    let user = user_in(store).await;
    for version in 1..4 {
        let seen = find(store, &user).await;
        assert_eq!(seen.stamp().version, version);
        let mut changes = system();
        let revised = changes.revise(seen, |user| Ok::<_, ()>(renamed(user, "Again"))).unwrap();
        store.commit(changes).await.unwrap();
        assert_eq!(revised.version, version + 1);
    }
}

pub async fn a_revision_replaces_the_record(store: &dyn Store) {
    let user = user_in(store).await;
    revise(store, find(store, &user).await, |user| User { email: None, ..renamed(user, "New") }).await.unwrap();
    assert_eq!(*find(store, &user).await.peek(), User { email: None, ..renamed(user, "New") });
}

pub async fn a_stale_revision_conflicts_and_changes_nothing(store: &dyn Store) {
    let user = user_in(store).await;
    let stale = find(store, &user).await;
    revise(store, find(store, &user).await, |user| renamed(user, "First")).await.unwrap();
    let outcome = revise(store, stale, |user| renamed(user, "Second")).await;
    assert_eq!(outcome, Err(StoreError::Conflict));
    assert_eq!(find(store, &user).await.into_display(), (renamed(user, "First"), 2));
}

pub async fn a_revision_of_what_is_not_there_conflicts(store: &dyn Store) {
    let absent = Samples::seeded(1).user();
    let outcome = revise(store, Seen::loaded(absent.clone(), 1), |user| user).await;
    assert_eq!(outcome, Err(StoreError::Conflict));
    assert_eq!(value(store.users().find(absent.id).await.unwrap()), None);
}

pub async fn a_removed_record_is_absent_and_can_be_inserted_again(store: &dyn Store) {
    let user = user_in(store).await;
    let totp = Samples::seeded(2).totp(user.id);
    insert(store, [totp.clone().into()]).await.unwrap();
    remove(store, store.second_factors().find_totp(user.id).await.unwrap().unwrap()).await.unwrap();
    assert_eq!(value(store.second_factors().find_totp(user.id).await.unwrap()), None);
    insert(store, [totp.clone().into()]).await.unwrap();
    assert_eq!(value(store.second_factors().find_totp(user.id).await.unwrap()), Some(totp));
}

pub async fn a_stale_removal_conflicts(store: &dyn Store) {
    let user = user_in(store).await;
    insert(store, [Samples::seeded(2).totp(user.id).into()]).await.unwrap();
    let stale = store.second_factors().find_totp(user.id).await.unwrap().unwrap();
    let seen = store.second_factors().find_totp(user.id).await.unwrap().unwrap();
    revise(store, seen, |totp| totp.used(7).unwrap()).await.unwrap();
    assert_eq!(remove(store, stale).await, Err(StoreError::Conflict));
    let seen = store.second_factors().find_totp(user.id).await.unwrap().unwrap();
    let twice = seen.clone();
    remove(store, seen).await.unwrap();
    assert_eq!(remove(store, twice).await, Err(StoreError::Conflict));
}

pub async fn putting_makes_or_replaces_and_raises_the_version(store: &dyn Store) {
    let user = user_in(store).await;
    let samples = Samples::seeded(2);
    for version in 1..4 {
        let enrollment = samples.totp_enrollment(user.id);
        let mut changes = system();
        changes.put(enrollment.clone());
        assert_eq!(store.commit(changes).await, Ok(APPLIED));
        let read = store.second_factors().find_totp_enrollment(user.id).await.unwrap().unwrap();
        assert_eq!(read.into_display(), (enrollment, version));
    }
}

pub async fn a_put_makes_what_was_seen_before_stale(store: &dyn Store) {
    let user = user_in(store).await;
    let samples = Samples::seeded(2);
    insert(store, [samples.totp_enrollment(user.id).into()]).await.unwrap();
    let stale = store.second_factors().find_totp_enrollment(user.id).await.unwrap().unwrap();
    let mut changes = system();
    changes.put(samples.totp_enrollment(user.id));
    store.commit(changes).await.unwrap();
    let outcome = revise(store, stale, |enrollment| enrollment.charge(minute(1)).unwrap()).await;
    assert_eq!(outcome, Err(StoreError::Conflict));
}

pub async fn one_refused_write_refuses_them_all(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let stale = find(store, &scene.user).await;
    revise(store, find(store, &scene.user).await, |user| renamed(user, "First")).await.unwrap();
    let purchase = scene.new_purchase(PurchaseStatus::Pending);
    let subject = Subject::Purchase(purchase.terms.id);
    let before = counts(store, &scene).await;
    for break_it in [Break::Version(Box::new(stale)), Break::Address] {
        let mut changes = system();
        changes.insert(purchase.clone()).put(scene.samples.totp(scene.user.id));
        changes.append(AppendedRow::Transition(scene.samples.transition(scene.id(), subject)));
        let refused = match break_it {
            Break::Version(stale) => {
                changes.revise(*stale, |user| Ok::<_, ()>(renamed(user, "Second"))).unwrap();
                StoreError::Conflict
            }
            Break::Address => {
                changes.insert(scene.contract.clone());
                StoreError::Duplicate(Unique::Address)
            }
        };
        assert_eq!(store.commit(changes).await, Err(refused));
        assert_eq!(value(store.purchases().find(scene.scope(), purchase.terms.id).await.unwrap()), None);
        assert_eq!(value(store.second_factors().find_totp(scene.user.id).await.unwrap()), None);
        assert_eq!(store.transitions().list_of(scene.scope(), subject, 9).await.unwrap(), []);
        assert_eq!(counts(store, &scene).await, before);
    }
}

enum Break {
    Version(Box<Seen<User>>),
    Address,
}

pub async fn an_unchanged_caller_may_write(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let changes = writing(Changes::by(&caller(store, &scene).await), &scene);
    assert_eq!(store.commit(changes).await, Ok(APPLIED));
}

pub async fn a_commit_of_a_changed_caller_fails(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let caller = caller(store, &scene).await;
    revoke(store, &scene).await;
    let changes = writing(Changes::by(&caller), &scene);
    assert_eq!(store.commit(changes).await, Err(StoreError::CallerChanged));
    assert_eq!(value(store.second_factors().find_totp(scene.user.id).await.unwrap()), None);
}

pub async fn each_record_behind_a_caller_is_guarded(store: &dyn Store) {
    for seed in 1..4 {
        let scene = Scene::founded(store, seed).await;
        let caller = caller(store, &scene).await;
        match seed {
            1 => revoke(store, &scene).await,
            2 => {
                touch(store, store.memberships().find(scene.scope(), scene.membership.id).await.unwrap().unwrap())
                    .await;
            }
            _ => touch(store, find(store, &scene.user).await).await,
        }
        let outcome = store.commit(writing(Changes::by(&caller), &scene)).await;
        assert_eq!(outcome, Err(StoreError::CallerChanged));
    }
}

pub async fn a_changed_caller_comes_before_a_lost_race(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut changes = Changes::by(&caller(store, &scene).await);
    changes.rely_on(store.contracts().find(scene.scope(), scene.contract.id).await.unwrap().unwrap());
    touch(store, store.contracts().find(scene.scope(), scene.contract.id).await.unwrap().unwrap()).await;
    revoke(store, &scene).await;
    assert_eq!(store.commit(changes).await, Err(StoreError::CallerChanged));
}

pub async fn a_caller_may_revise_the_record_that_gives_the_right(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let caller = caller(store, &scene).await;
    let revoking = async || {
        let mut changes = Changes::by(&caller);
        changes.revise(key_in(store, &scene).await, |key| key.revoke(minute(1))).unwrap();
        changes
    };
    let (first, second) = (revoking().await, revoking().await);
    assert_eq!(store.commit(first).await, Ok(APPLIED));
    assert_eq!(store.commit(second).await, Err(StoreError::Conflict), "the revision lost a race");
}

pub async fn a_caller_cannot_revise_a_record_that_changed_since_it_gave_the_right(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let caller = caller(store, &scene).await;
    revise(store, key_in(store, &scene).await, |key| ApiKey { policies: PolicySet::NONE, ..key }).await.unwrap();
    let mut changes = Changes::by(&caller);
    changes
        .revise(key_in(store, &scene).await, |key| Ok::<_, ()>(ApiKey { policies: PolicySet::EVERY, ..key }))
        .unwrap();
    assert_eq!(store.commit(changes).await, Err(StoreError::CallerChanged));
    let mut changes = Changes::by(&caller);
    changes.remove(key_in(store, &scene).await);
    assert_eq!(store.commit(changes).await, Err(StoreError::CallerChanged));
}

pub async fn what_was_relied_on_and_stayed_lets_pass(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut changes = writing(system(), &scene);
    changes.rely_on(key_in(store, &scene).await);
    changes.rely_on(store.contracts().find(scene.scope(), scene.contract.id).await.unwrap().unwrap());
    assert_eq!(store.commit(changes).await, Ok(APPLIED));
}

pub async fn what_was_relied_on_and_changed_conflicts(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut changes = writing(system(), &scene);
    changes.rely_on(key_in(store, &scene).await);
    revoke(store, &scene).await;
    assert_eq!(store.commit(changes).await, Err(StoreError::Conflict));
    assert_eq!(value(store.second_factors().find_totp(scene.user.id).await.unwrap()), None);
}

pub async fn what_was_relied_on_and_removed_conflicts(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let grant = scene.samples.grant(scene.prover());
    insert(store, [grant.into()]).await.unwrap();
    let seen = store.step_ups().find_grant(scene.prover()).await.unwrap().unwrap();
    let mut changes = writing(system(), &scene);
    changes.rely_on(seen.clone());
    remove(store, seen).await.unwrap();
    assert_eq!(store.commit(changes).await, Err(StoreError::Conflict));
}

pub async fn relying_changes_no_version(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for _ in 0..2 {
        let mut changes = system();
        changes.rely_on(key_in(store, &scene).await);
        store.commit(changes).await.unwrap();
    }
    assert_eq!(key_in(store, &scene).await.stamp().version, 1);
}

pub async fn of_two_records_that_rely_on_each_other_one_is_refused(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [one, other] = [samples.user(), samples.user()];
    insert(store, [one.clone().into(), other.clone().into()]).await.unwrap();
    let mut sets = Vec::new();
    for (revised, relied_on) in [(&one, &other), (&other, &one)] {
        let mut changes = system();
        changes.rely_on(find(store, relied_on).await);
        changes.revise(find(store, revised).await, |user| Ok::<_, ()>(User { disabled: true, ..user })).unwrap();
        sets.push(changes);
    }
    let second = sets.pop().unwrap();
    assert_eq!(store.commit(sets.pop().unwrap()).await, Ok(APPLIED));
    assert_eq!(store.commit(second).await, Err(StoreError::Conflict));
}

/// Returns a set with at least one write.
fn writing(mut changes: Changes, scene: &Scene) -> Changes {
    changes.put(scene.samples.totp(scene.user.id));
    changes
}

async fn caller(store: &dyn Store, scene: &Scene) -> Caller {
    let found = store.api_keys().find_by_digest(&scene.key.digest).await.unwrap().unwrap();
    Caller { guards: vec![found.key.stamp(), found.membership.stamp(), found.owner.stamp()], ..Caller::system() }
}

async fn key_in(store: &dyn Store, scene: &Scene) -> Seen<ApiKey> {
    store.api_keys().find(scene.scope(), scene.key.id).await.unwrap().unwrap().key
}

async fn revoke(store: &dyn Store, scene: &Scene) {
    revise(store, key_in(store, scene).await, |key| key.revoke(minute(1)).unwrap()).await.unwrap();
}

/// Writes a record again, unchanged.
async fn touch<T: Record>(store: &dyn Store, seen: Seen<T>) {
    revise(store, seen, |record| record).await.unwrap();
}

async fn user_in(store: &dyn Store) -> User {
    let user = Samples::seeded(1).user();
    insert(store, [user.clone().into()]).await.unwrap();
    user
}

async fn find(store: &dyn Store, user: &User) -> Seen<User> {
    store.users().find(user.id).await.unwrap().unwrap()
}

fn renamed(user: User, name: &str) -> User {
    let display_name: Name = text(name);
    User { display_name, ..user }
}

async fn counts(store: &dyn Store, scene: &Scene) -> Vec<(i16, i64)> {
    store.counters().by_status(scene.scope(), tradepost_ports::record::Kind::Purchase, None).await.unwrap()
}
