//! Many observations in parallel with commits: on SQLite they share one writer, and no commit waits for more than a slice.

use std::sync::atomic::{AtomicUsize, Ordering};
use tradepost_ports::store::Records;

use futures::future::{join, join_all};
use tradepost_domain::markets::observation::MarketObservation;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{MOST_OBSERVATIONS, Recorded, Store as _, StoreError};
use tradepost_testkit::samples::{Scene, start, variant};

use crate::support::{postgres, sqlite};

/// So many batches of as many observations as are recorded at once, all of them new.
fn batches(scene: &Scene, many: usize) -> Vec<Vec<MarketObservation>> {
    let one = || {
        let seen = scene.samples.on_offer(variant("AK-47 | Redline (Field-Tested)"), 100, start());
        scene.samples.observation(scene.id(), seen)
    };
    (0..many).map(|_| (0..MOST_OBSERVATIONS).map(|_| one()).collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_waits_for_few_of_many_batches_of_observations() {
    let test = sqlite().await;
    let scene = Scene::founded(&test.store, 1).await;
    let (batches, done) = (batches(&scene, 60), AtomicUsize::new(0));
    let record = async |batch: &Vec<MarketObservation>| {
        test.store.observations().record(scene.scope(), &[], batch).await.unwrap();
        done.fetch_add(1, Ordering::SeqCst);
    };
    let commit = async {
        while done.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        let before = done.load(Ordering::SeqCst);
        let mut changes = Changes::by(&Caller::system());
        changes.insert(scene.samples.filter_set(scene.id()));
        test.store.commit(changes).await.unwrap();
        done.load(Ordering::SeqCst) - before
    };
    let (_, meanwhile) = join(join_all(batches.iter().map(record)), commit).await;
    assert!(meanwhile <= 4, "{meanwhile} batches were recorded while a commit waited");
    assert_eq!(done.load(Ordering::SeqCst), 60);
}

#[tokio::test]
async fn a_caller_is_rejected_when_too_many_wait() {
    let test = sqlite().await;
    let scene = Scene::founded(&test.store, 1).await;
    let batches = batches(&scene, 70);
    let recording = batches.iter().map(|batch| test.store.observations().record(scene.scope(), &[], batch));
    let (recorded, refused): (Vec<_>, Vec<_>) = join_all(recording).await.into_iter().partition(Result::is_ok);
    assert_eq!(recorded.len(), 64);
    assert!(refused.into_iter().all(|refused| refused == Err(StoreError::Overloaded)));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_record_the_same_in_other_orders_never_block_each_other_on_postgres() {
    let test = postgres().await;
    let scene = Scene::founded(&test.store, 1).await;
    let forth = batches(&scene, 1).remove(0);
    let in_turn = |turn: usize| {
        let again = |seen: &MarketObservation| scene.samples.observation(scene.id(), seen.snapshot.clone());
        let mut order: Vec<MarketObservation> = forth.iter().map(again).collect();
        order.rotate_left(turn * 50);
        order
    };
    let orders: Vec<Vec<MarketObservation>> = (0..8).map(in_turn).collect();
    let recorded =
        join_all(orders.iter().map(|batch| test.store.observations().record(scene.scope(), &[], batch))).await;
    let accepted = recorded.into_iter().flat_map(Result::unwrap).filter(|recorded| *recorded == Recorded::Accepted);
    assert_eq!(accepted.count(), MOST_OBSERVATIONS);
}
