//! How many calls are active at one moment, and how many wait.

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tradepost_operations::contracts::{WatchTransitions, WatchedTransitions};
use tradepost_operations::{
    AtWork, Caller, Code, MOST_IN_PROCESS, MOST_IN_WORKSPACE, OpResult, Operations, WaiterLimits,
};

use crate::harness::{World, address, refusal};

#[tokio::test]
async fn calls_above_the_active_limit_of_a_workspace_are_refused_for_every_caller() {
    let world = World::new().await;
    let (key, other_key) = (world.full_key().await, world.full_key().await);
    let mut active: Vec<_> = (0..MOST_IN_WORKSPACE).map(|_| world.operations.begin_call_of(&key).unwrap()).collect();
    assert_eq!(refusal(world.operations.begin_call_of(&other_key).map(drop)), (Code::ResourceExhausted, "BUSY"));
    active.pop();
    assert!(world.operations.begin_call_of(&other_key).is_ok(), "one that has ended makes room");
}

#[tokio::test]
async fn the_calls_of_one_workspace_take_no_room_of_another() {
    let world = World::new().await;
    let key = world.full_key().await;
    let _active: Vec<_> = (0..MOST_IN_WORKSPACE).map(|_| world.operations.begin_call_of(&key).unwrap()).collect();
    world.user("other@example.com").await;
    let elsewhere = world.caller(&world.signed_in(&address("other@example.com")).await).await;
    assert!(world.operations.begin_call_of(&elsewhere).is_ok());
    assert!(world.operations.begin_call_of(&Caller::anonymous(None)).is_ok());
}

#[tokio::test]
async fn calls_above_the_active_limit_of_a_process_are_refused() {
    let world = World::new().await;
    let mut active: Vec<_> = (0..MOST_IN_PROCESS).map(|_| world.operations.begin_call().unwrap()).collect();
    assert_eq!(refusal(world.operations.begin_call().map(drop)), (Code::ResourceExhausted, "BUSY"));
    active.pop();
    assert!(world.operations.begin_call().is_ok());
}

/// A call that waits for the next change of the workspace, once it waits; or its refusal.
fn wait<'a>(world: &'a World, caller: &'a Caller) -> OpResult<BoxFuture<'a, OpResult<WatchedTransitions>>> {
    let places = (world.operations.begin_call()?, world.operations.begin_call_of(caller)?);
    let workspace_id = world.workspace_id;
    let at_end = WatchTransitions { workspace_id, after: None, from_end: true, limit: 0, wait_seconds: 0 };
    let end = world.operations.watch_transitions(caller, at_end, AtWork::default()).now_or_never().unwrap()?;
    let command = WatchTransitions { workspace_id, after: end.last, from_end: false, limit: 0, wait_seconds: 25 };
    let mut call = world.operations.watch_transitions(caller, command, AtWork::holding(places.0, places.1)).boxed();
    match call.as_mut().now_or_never() {
        None => Ok(call),
        Some(answer) => Err(answer.unwrap_err()),
    }
}

fn with_waiters(limits: WaiterLimits) -> impl FnOnce(Operations) -> Operations {
    move |operations| operations.with_waiters(limits)
}

#[tokio::test]
async fn calls_that_wait_take_no_place_of_calls_that_work() {
    let world = World::new().await;
    let mut keys = Vec::new();
    for _ in 0..=MOST_IN_WORKSPACE / 16 {
        keys.push(world.full_key().await);
    }
    let waiting: Vec<_> = keys.iter().flat_map(|key| (0..16).map(|_| wait(&world, key).unwrap())).collect();
    assert!(waiting.len() > MOST_IN_WORKSPACE);
    let active: Vec<_> = (0..MOST_IN_WORKSPACE).map(|_| world.operations.begin_call_of(&keys[0]).unwrap()).collect();
    let in_process: Vec<_> = (0..MOST_IN_PROCESS).map(|_| world.operations.begin_call().unwrap()).collect();
    assert_eq!((active.len(), in_process.len()), (MOST_IN_WORKSPACE, MOST_IN_PROCESS));
}

#[tokio::test]
async fn a_key_beyond_its_waiting_calls_is_refused_and_others_are_not() {
    let world = World::new().await;
    let (key, other) = (world.full_key().await, world.full_key().await);
    let mut waiting: Vec<_> = (0..16).map(|_| wait(&world, &key).unwrap()).collect();
    assert_eq!(refusal(wait(&world, &key).map(drop)), (Code::ResourceExhausted, "BUSY"));
    assert!(wait(&world, &other).is_ok());
    waiting.pop();
    assert!(wait(&world, &key).is_ok(), "one that has ended makes room");
}

#[tokio::test]
async fn sessions_of_a_user_wait_together() {
    let world = World::new().await;
    let (one, other) = (world.session().await, world.session().await);
    let _waiting: Vec<_> = (0..16).map(|_| wait(&world, &one).unwrap()).collect();
    assert_eq!(refusal(wait(&world, &other).map(drop)), (Code::ResourceExhausted, "BUSY"));
}

#[tokio::test]
async fn waiting_calls_of_a_workspace_and_of_the_process_are_limited_by_settings() {
    for limits in [
        WaiterLimits { in_workspace: 2, ..WaiterLimits::default() },
        WaiterLimits { in_process: 2, ..WaiterLimits::default() },
    ] {
        let world = World::made(|_| {}, with_waiters(limits)).await;
        let keys = [world.full_key().await, world.full_key().await, world.full_key().await];
        let _waiting: Vec<_> = keys.iter().take(2).map(|key| wait(&world, key).unwrap()).collect();
        assert_eq!(refusal(wait(&world, &keys[2]).map(drop)), (Code::ResourceExhausted, "BUSY"));
    }
}
