//! Promises about concurrent operations: their result is that of some serial order.

use futures::future::join_all;
use tradepost_domain::accounts::totp::Totp;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus, PurchaseTerms};
use tradepost_domain::id::UserId;
use tradepost_ports::changes::{AppendLink, Committed, Seen};
use tradepost_ports::record::{AnyRecord, Kind};
use tradepost_ports::store::{Store, StoreError, StoreResult, Unique};

use super::contracts::chain::{append, assert_whole, links};
use super::{insert, system};
use crate::samples::{Samples, Scene, start};

/// The number of concurrent operations.
const CROWD: usize = 32;

pub async fn thirty_two_appenders_make_thirty_two_gapless_steps(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 2).await;
    let outcomes = join_all((0..CROWD).map(|_| append(store, scene.samples.next_link(&item)))).await;
    let mut steps: Vec<u32> = outcomes
        .into_iter()
        .map(|outcome| match outcome {
            Ok(Committed::Applied { links }) => links.first().unwrap().step,
            other => panic!("{other:?} for new evidence"),
        })
        .collect();
    steps.sort_unstable();
    assert_eq!(steps, (2..34).collect::<Vec<u32>>());
    assert_eq!(links(store, &scene, &item).await.len(), 34);
    assert_whole(store, &scene, &item).await;
}

pub async fn equal_evidence_at_once_makes_one_link(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 2).await;
    let wanted = scene.samples.next_link(&item);
    let same = || AppendLink { id: scene.samples.id(), ..wanted.clone() };
    let outcomes = join_all((0..CROWD).map(|_| append(store, same()))).await;
    let link = links(store, &scene, &item).await.pop().unwrap();
    let applied = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Committed::Applied { .. }))).count();
    let recorded = outcomes.iter().filter(|outcome| **outcome == Ok(Committed::AlreadyRecorded(link.clone()))).count();
    assert_eq!((applied, recorded, link.step), (1, CROWD - 1, 2));
    assert_whole(store, &scene, &item).await;
}

pub async fn one_of_many_takes_an_expected_step(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, _) = scene.item(store, 2).await;
    let third = || AppendLink { expected_step: Some(2), ..scene.samples.next_link(&item) };
    let outcomes = join_all((0..CROWD).map(|_| append(store, third()))).await;
    assert_one_wins(&outcomes, &StoreError::LinkRefused);
    assert_eq!(links(store, &scene, &item).await.len(), 3);
}

pub async fn one_of_many_takes_a_unique_key(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let listing_id = scene.samples.external_id();
    let rival = || {
        let terms = scene.samples.purchase_terms(scene.id(), scene.contract.id);
        Purchase::record(PurchaseTerms { listing_id: listing_id.clone(), ..terms }, start()).unwrap()
    };
    let outcomes = join_all((0..CROWD).map(|_| insert(store, [rival().into()]))).await;
    assert_one_wins(&outcomes, &StoreError::Duplicate(Unique::LiveListing));
    let counts = store.counters().by_status(scene.scope(), Kind::Purchase, None).await.unwrap();
    assert_eq!(counts, [(PurchaseStatus::Pending.code(), 1)]);
}

pub async fn one_of_many_revises_what_all_have_seen(store: &dyn Store) {
    let [user] = users_with_totp(store).await;
    let mut sets = Vec::new();
    for step in 1..=CROWD {
        let mut changes = system();
        changes.revise(totp(store, user).await, |totp| totp.used(step as u64)).unwrap();
        sets.push(changes);
    }
    let outcomes = join_all(sets.into_iter().map(|changes| store.commit(changes))).await;
    assert_one_wins(&outcomes, &StoreError::Conflict);
    assert_eq!(totp(store, user).await.stamp().version, 2);
}

pub async fn of_two_sets_that_rely_on_each_other_one_is_refused_at_once(store: &dyn Store) {
    let users: [UserId; 2] = users_with_totp(store).await;
    for _ in 0..CROWD {
        let mut sets = Vec::new();
        for (revised, relied_on) in [(0, 1), (1, 0)] {
            let mut changes = system();
            changes.rely_on(totp(store, users[relied_on]).await);
            let seen = totp(store, users[revised]).await;
            let next = seen.peek().last_step + 1;
            changes.revise(seen, |totp| totp.used(next)).unwrap();
            sets.push(changes);
        }
        let outcomes = join_all(sets.into_iter().map(|changes| store.commit(changes))).await;
        assert_one_wins(&outcomes, &StoreError::Conflict);
    }
}

pub async fn counters_miss_nothing_of_what_is_written_at_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let outcomes = join_all((0..CROWD).map(|_| scene.purchase(store, PurchaseStatus::Pending))).await;
    assert_eq!(outcomes.len(), CROWD);
    for contract in [None, Some(scene.contract.id)] {
        let counts = store.counters().by_status(scene.scope(), Kind::Purchase, contract).await.unwrap();
        assert_eq!(counts, [(PurchaseStatus::Pending.code(), 32)]);
    }
}

pub async fn revisions_that_are_tried_again_all_count(store: &dyn Store) {
    let [user] = users_with_totp(store).await;
    let increments = join_all((0..CROWD).map(|_| async {
        retried(async || {
            let seen = totp(store, user).await;
            let next = seen.peek().last_step + 1;
            let mut changes = system();
            changes.revise(seen, |totp| totp.used(next)).unwrap();
            tokio::task::yield_now().await;
            store.commit(changes).await
        })
        .await;
    }))
    .await;
    assert_eq!(totp(store, user).await.peek().last_step, increments.len() as u64);
}

/// One revision of a random run: `revised` became a function of itself and of `relied_on`.
#[derive(Debug, Clone, Copy)]
struct Step {
    revised: usize,
    relied_on: usize,
    salt: u64,
    seen: [i64; 2],
}

impl Step {
    const fn value(&self, own: u64, other: u64) -> u64 {
        (own * 31 + other * 17 + self.salt) % 1_000_003
    }
}

pub async fn a_random_run_at_once_equals_some_serial_order(store: &dyn Store) {
    let users: [UserId; 4] = users_with_totp(store).await;
    let runs = join_all((0..8).map(|task| random_steps(store, users, task))).await;
    let (mut values, mut versions) = ([0; 4], [1; 4]);
    let mut pending: Vec<Step> = runs.concat();
    while let Some(next) = next_of(&pending, &versions) {
        let step = pending.swap_remove(next);
        values[step.revised] = step.value(values[step.revised], values[step.relied_on]);
        versions[step.revised] += 1;
    }
    assert!(pending.is_empty(), "no order explains {pending:?}");
    for (index, user) in users.into_iter().enumerate() {
        let (read, version) = totp(store, user).await.into_display();
        assert_eq!((read.last_step, version), (values[index], versions[index]));
    }
}

/// Returns the step that may come next in a serial order. It saw the current state, and revises nothing on which another pending step still
/// relies. Without such a step, the steps wait for each other in a circle.
fn next_of(pending: &[Step], versions: &[i64; 4]) -> Option<usize> {
    let is_ready = |step: &Step| step.seen == [versions[step.revised], versions[step.relied_on]];
    let is_waited_for = |step: &Step| {
        pending.iter().any(|other| other.relied_on == step.revised && other.seen[1] == versions[step.revised])
    };
    pending.iter().position(|step| is_ready(step) && !is_waited_for(step))
}

async fn random_steps(store: &dyn Store, users: [UserId; 4], task: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut random = task + 1;
    for _ in 0..12 {
        // Knuth's constants of a linear congruential generator: the same steps in every run.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let revised = (random >> 33) as usize % users.len();
        let relied_on = (revised + 1 + (random >> 40) as usize % (users.len() - 1)) % users.len();
        let mut step = Step { revised, relied_on, salt: random >> 48, seen: [0; 2] };
        retried(async || {
            let mut changes = system();
            let (own, other) = (totp(store, users[revised]).await, totp(store, users[relied_on]).await);
            step.seen = [own.stamp().version, other.stamp().version];
            let other = changes.rely_on(other).last_step;
            let decide = |totp: Totp| Ok::<_, ()>(Totp { last_step: step.value(totp.last_step, other), ..totp });
            changes.revise(own, decide).unwrap();
            tokio::task::yield_now().await;
            store.commit(changes).await
        })
        .await;
        steps.push(step);
    }
    steps
}

/// Retries on fresh reads, as long as a race is lost.
async fn retried(mut attempt: impl AsyncFnMut() -> StoreResult<Committed>) {
    for _ in 0..10_000 {
        match attempt().await {
            Err(StoreError::Conflict) => tokio::task::yield_now().await,
            outcome => {
                outcome.unwrap();
                return;
            }
        }
    }
    panic!("lost ten thousand races");
}

fn assert_one_wins(outcomes: &[StoreResult<Committed>], refused: &StoreError) {
    let won = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let lost = outcomes.iter().filter(|outcome| outcome.as_ref().err() == Some(refused)).count();
    assert_eq!((won, lost), (1, outcomes.len() - 1), "{outcomes:?}");
}

async fn users_with_totp<const N: usize>(store: &dyn Store) -> [UserId; N] {
    let samples = Samples::seeded(1);
    let users = [(); N].map(|()| samples.user());
    let ids = users.each_ref().map(|user| user.id);
    insert(store, users.map(AnyRecord::from)).await.unwrap();
    insert(store, ids.map(|id| samples.totp(id).into())).await.unwrap();
    ids
}

async fn totp(store: &dyn Store, user: UserId) -> Seen<Totp> {
    store.second_factors().find_totp(user).await.unwrap().unwrap()
}
