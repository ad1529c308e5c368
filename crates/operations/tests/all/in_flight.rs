//! How many calls are at work at one moment.

use tradepost_operations::{Caller, Code, MOST_IN_PROCESS, MOST_IN_WORKSPACE};

use crate::harness::{World, address, refusal};

#[tokio::test]
async fn calls_of_a_workspace_beyond_those_that_can_be_at_work_are_refused_whoever_makes_them() {
    let world = World::new().await;
    let (key, other_key) = (world.full_key().await, world.full_key().await);
    let mut at_work: Vec<_> = (0..MOST_IN_WORKSPACE).map(|_| world.operations.begin_call_of(&key).unwrap()).collect();
    assert_eq!(refusal(world.operations.begin_call_of(&other_key).map(drop)), (Code::ResourceExhausted, "BUSY"));
    at_work.pop();
    assert!(world.operations.begin_call_of(&other_key).is_ok(), "one that has ended makes room");
}

#[tokio::test]
async fn the_calls_of_one_workspace_take_no_room_of_another() {
    let world = World::new().await;
    let key = world.full_key().await;
    let _at_work: Vec<_> = (0..MOST_IN_WORKSPACE).map(|_| world.operations.begin_call_of(&key).unwrap()).collect();
    world.user("other@example.com").await;
    let elsewhere = world.caller(&world.signed_in(&address("other@example.com")).await).await;
    assert!(world.operations.begin_call_of(&elsewhere).is_ok());
    assert!(world.operations.begin_call_of(&Caller::anonymous(None)).is_ok());
}

#[tokio::test]
async fn calls_beyond_those_that_a_process_can_have_at_work_are_refused() {
    let world = World::new().await;
    let mut at_work: Vec<_> = (0..MOST_IN_PROCESS).map(|_| world.operations.begin_call().unwrap()).collect();
    assert_eq!(refusal(world.operations.begin_call().map(drop)), (Code::ResourceExhausted, "BUSY"));
    at_work.pop();
    assert!(world.operations.begin_call().is_ok());
}
