//! The order in which status changes are watched, where commits overtake each other.

use sea_orm::{ConnectionTrait as _, TransactionTrait as _};
use tradepost_domain::transition::{Subject, SubjectKind, Transition};
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::Scene;

use crate::support::{TestStore, postgres};

async fn commit(test: &TestStore, step: Transition) {
    let mut changes = Changes::by(&Caller::system());
    changes.append(AppendedRow::Transition(step));
    test.store.commit(changes).await.unwrap();
}

/// A copy of a transition under another id.
fn copied(from: &Transition, to: &Transition) -> String {
    let hex = |bytes: [u8; 16]| uuid::Uuid::from_bytes(bytes).to_string();
    format!(
        "INSERT INTO transitions (workspace_id, subject_kind, subject_id, version, id, to_status, cause, actor_kind, at) \
         SELECT workspace_id, subject_kind, subject_id, version + 1, '{}', to_status, cause, actor_kind, at \
         FROM transitions WHERE id = '{}'",
        hex(to.id.to_bytes()),
        hex(from.id.to_bytes())
    )
}

#[tokio::test]
async fn a_transition_that_is_committed_late_is_seen_by_who_saw_the_later_ones() {
    let test = postgres().await;
    let scene = Scene::founded(&test.store, 1).await;
    let step = || scene.samples.transition(scene.id(), Subject::Contract(scene.contract.id));
    let (first, late, last) = (step(), step(), step());
    commit(&test, first.clone()).await;
    let other_connection = test.place.connect().await;
    let open = other_connection.begin().await.unwrap();
    open.execute_unprepared(&copied(&first, &late)).await.unwrap();
    commit(&test, last.clone()).await;
    test.store.transitions().place().await.unwrap();
    let after = async |position| {
        let behind = test.store.transitions().list_after(scene.scope(), SubjectKind::ALL, position, 9).await.unwrap();
        behind.into_iter().map(|step| step.id).collect::<Vec<_>>()
    };
    assert_eq!(after(0).await, [first.id, last.id]);
    let seen = test.store.transitions().find_place(scene.scope(), last.id).await.unwrap().unwrap();
    open.commit().await.unwrap();
    assert_eq!(after(seen).await, []);
    test.store.transitions().place().await.unwrap();
    assert_eq!(after(seen).await, [late.id]);
}

#[tokio::test]
async fn positions_are_given_by_one_process_at_a_time() {
    let test = postgres().await;
    let scene = Scene::founded(&test.store, 1).await;
    let before = test.store.transitions().place().await.unwrap();
    let other_connection = test.place.connect().await;
    let other = other_connection.begin().await.unwrap();
    let lock = "SELECT pg_advisory_xact_lock(hashtext('tradepost_transition_places'))";
    other.execute_unprepared(lock).await.unwrap();
    commit(&test, scene.samples.transition(scene.id(), Subject::Contract(scene.contract.id))).await;
    assert_eq!(test.store.transitions().place().await.unwrap(), before);
    other.commit().await.unwrap();
    assert!(test.store.transitions().place().await.unwrap() > before);
}
