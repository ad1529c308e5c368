//! Counting calls, and reading what was counted.

use time::Duration;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::accounts::usage::{Calls, Ended, Granularity, Grouping, UsagePoint};
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::{GetQuotas, GetUsage, ListKeyUsage};
use tradepost_operations::rules::Rule;
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;

use crate::harness::{World, refusal};

fn call(world: &World, caller: &Caller, method: &str, ended: Ended) {
    let counted_as = world.operations.called(&caller.principal, Rule::of(method).unwrap());
    world.operations.count_call(counted_as, ended);
}

/// Everything that was called in the last day.
async fn usage(world: &World, granularity: Granularity, grouping: Grouping) -> OpResult<Vec<UsagePoint>> {
    world.operations.flush_usage().await.unwrap();
    let (from, to) = last_day(world);
    let (from, to) = (Some(from), Some(to));
    let command = GetUsage { workspace_id: world.workspace_id, from, to, granularity, grouping };
    world.operations.get_usage(&world.full_key().await, command).await
}

fn last_day(world: &World) -> (Timestamp, Timestamp) {
    let now = world.clock.now();
    (now.plus(-Duration::hours(23)), now.plus(Duration::minutes(1)))
}

#[tokio::test]
async fn calls_are_counted_by_minute_and_by_how_they_ended() {
    let world = World::new().await;
    let key = world.full_key().await;
    for ended in [Ended::Well, Ended::InError, Ended::RateLimited] {
        call(&world, &key, "GetPurchase", ended);
    }
    world.advance(Duration::minutes(1));
    call(&world, &key, "ListPurchases", Ended::Well);
    let points = usage(&world, Granularity::Minute, Grouping::default()).await.unwrap();
    let calls: Vec<Calls> = points.iter().map(|point| point.calls).collect();
    let first = Calls { requests: 3, errors: 1, rate_limited: 1 };
    assert_eq!(calls, [first, Calls { requests: 1, errors: 0, rate_limited: 0 }]);
}

#[tokio::test]
async fn a_session_counts_for_the_workspace_that_it_has_chosen_and_for_no_other() {
    let world = World::new().await;
    let chosen = world.session().await;
    call(&world, &chosen, "GetPurchase", Ended::Well);
    call(&world, &world.caller(&world.signed_in(&world.owner).await).await, "GetPurchase", Ended::Well);
    let grouping = Grouping { by_key: true, by_operation: true };
    let points = usage(&world, Granularity::Day, grouping).await.unwrap();
    let [point] = points.as_slice() else { panic!("one point: {points:?}") };
    assert_eq!((point.key_id, point.operation.as_deref(), point.calls.requests), (None, Some("GetPurchase"), 1));
}

#[tokio::test]
async fn keys_are_listed_by_how_much_they_are_used() {
    let world = World::new().await;
    let (quiet, busy) = (world.full_key().await, world.full_key().await);
    call(&world, &quiet, "GetPurchase", Ended::Well);
    for _ in 0..3 {
        call(&world, &busy, "GetPurchase", Ended::Well);
    }
    world.operations.flush_usage().await.unwrap();
    let (from, to) = last_day(&world);
    let command = ListKeyUsage { workspace_id: world.workspace_id, from: Some(from), to: Some(to) };
    let listed = world.operations.list_key_usage(&quiet, command).await.unwrap();
    assert_eq!(listed.iter().map(|key| key.calls.requests).collect::<Vec<_>>(), [3, 1]);
    assert_eq!(listed[1].key_id, Some(quiet.principal.key().unwrap().key_id));
}

#[tokio::test]
async fn what_was_called_ninety_days_ago_is_forgotten() {
    let world = World::new().await;
    call(&world, &world.full_key().await, "GetPurchase", Ended::Well);
    world.operations.flush_usage().await.unwrap();
    world.advance(Duration::days(90));
    assert_eq!(world.operations.forget_old_usage().await.unwrap(), 0);
    world.advance(Duration::minutes(1));
    assert_eq!(world.operations.forget_old_usage().await.unwrap(), 1);
}

#[tokio::test]
async fn without_times_usage_is_what_was_called_lately() {
    let world = World::new().await;
    let key = world.full_key().await;
    call(&world, &key, "GetPurchase", Ended::Well);
    world.operations.flush_usage().await.unwrap();
    let counted = async |granularity| {
        let grouping = Grouping::default();
        let command = GetUsage { workspace_id: world.workspace_id, from: None, to: None, granularity, grouping };
        world.operations.get_usage(&key, command).await.unwrap().len()
    };
    assert_eq!((counted(Granularity::Minute).await, counted(Granularity::Day).await), (1, 1));
    world.advance(Duration::days(29));
    assert_eq!((counted(Granularity::Minute).await, counted(Granularity::Day).await), (0, 1));
    let keys = ListKeyUsage { workspace_id: world.workspace_id, from: None, to: None };
    assert_eq!(world.operations.list_key_usage(&key, keys).await.unwrap().len(), 1);
}

#[tokio::test]
async fn usage_is_for_those_who_read_keys_and_needs_a_span_of_time() {
    let world = World::new().await;
    let (from, to) = last_day(&world);
    let command = |from, to| GetUsage {
        workspace_id: world.workspace_id,
        from: Some(from),
        to: Some(to),
        granularity: Granularity::Day,
        grouping: Grouping::default(),
    };
    let trader = world.key(PolicySet::of(&[Policy::Trading])).await;
    let refused = world.operations.get_usage(&trader, command(from, to)).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "PERMISSION_DENIED"));
    let refused = world.operations.get_usage(&world.full_key().await, command(to, from)).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn quotas_name_the_limits_that_answers_name_and_count_keys_and_members() {
    let world = World::new().await;
    let key = world.full_key().await;
    let bounds = world.operations.get_quotas(&key, GetQuotas { workspace_id: world.workspace_id }).await.unwrap();
    let names: Vec<&str> = bounds.rates.iter().map(|(class, _)| class.name()).collect();
    assert_eq!(names, ["read", "list", "write", "trade", "key", "workspace", "observation"]);
    assert_eq!((bounds.keys, bounds.members), ((1, 100), (1, 100)));
}
