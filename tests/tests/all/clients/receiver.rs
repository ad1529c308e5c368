//! The example of a receiver of events, with changes before it runs and between two of its runs.

#[path = "../../../../examples/rust/receiver.rs"]
#[expect(dead_code, reason = "the example's own `main` runs only as a program")]
mod example;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::harness::{Database, Key, Trading, World};
use example::{Receiver, described};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_receiver_of_events_continues_where_it_ended_and_misses_no_change() {
    let world = World::new(Database::Sqlite).await;
    let from_end = json!({ "workspaceId": world.desk.workspace_id.to_string(), "fromEnd": true });
    let end = world.call(Key::Reader, "WatchTransitions", &from_end).await.ok();
    let folder = tempfile::tempdir().unwrap();
    let position = folder.path().join("position");
    std::fs::write(&position, STANDARD.decode(end["lastTransitionId"].as_str().unwrap()).unwrap()).unwrap();

    let trading =
        Trading { operations: world.app.operations(), clock: &world.clock, workspace_id: world.desk.workspace_id };
    let mut recorded = Vec::new();
    for number in 70..73 {
        recorded.push(trading.record(world.desk.contract, number).await.to_string());
    }
    let mut received = Vec::new();
    for many in [1, 3] {
        let receiver = Receiver::open(&world.client.base, world.token(Key::Reader), position.clone()).await.unwrap();
        let handle = receiver.receive(|transition| {
            assert_eq!(described(transition), "PURCHASE  -> PENDING by recorded");
            received.push(STANDARD.encode(transition.subject_id.as_deref().unwrap()));
            received.len() < many
        });
        handle.await.unwrap();
    }
    assert_eq!(received, recorded);
}
