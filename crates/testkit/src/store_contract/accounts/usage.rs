//! Promises about the usage of workspaces.

use tradepost_domain::accounts::usage::{Calls, Granularity, Grouping, UsagePoint};
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_ports::store::{Store, UsageCount, UsageQuery};

use crate::samples::Scene;

/// A minute at the beginning of a day.
const MIDNIGHT: i64 = 20_000 * 24 * 60;

fn calls(requests: i64) -> Calls {
    Calls { requests, errors: 1, rate_limited: 0 }
}

fn count(workspace_id: WorkspaceId, minute: i64, key_id: Option<ApiKeyId>, operation: &'static str) -> UsageCount {
    UsageCount { workspace_id, minute: MIDNIGHT + minute, key_id, operation, calls: calls(2) }
}

fn query(granularity: Granularity, grouping: Grouping) -> UsageQuery {
    UsageQuery { from: MIDNIGHT, to: MIDNIGHT + 24 * 60, granularity, grouping, limit: 100 }
}

/// Returns points in short: minute of the day, key, operation, requests.
fn short(points: Vec<UsagePoint>) -> Vec<(i64, Option<ApiKeyId>, Option<String>, i64)> {
    let minute = |point: &UsagePoint| point.time.as_micros() / 60_000_000 - MIDNIGHT;
    points.into_iter().map(|point| (minute(&point), point.key_id, point.operation, point.calls.requests)).collect()
}

pub async fn what_is_counted_twice_is_added_up(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for _ in 0..2 {
        store.usage().add(&[count(scene.id(), 5, None, "GetPurchase")]).await.unwrap();
    }
    store.usage().add(&[]).await.unwrap();
    let points = store.usage().read(scene.scope(), query(Granularity::Minute, Grouping::default())).await.unwrap();
    let [point] = points.as_slice() else { panic!("one point: {points:?}") };
    assert_eq!(point.calls, Calls { requests: 4, errors: 2, rate_limited: 0 });
}

pub async fn usage_is_shown_by_span_key_and_operation(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let key = Some(scene.key.id);
    let counts = [
        count(scene.id(), 0, None, "ListPurchases"),
        count(scene.id(), 59, key, "GetPurchase"),
        count(scene.id(), 59, key, "ListPurchases"),
        count(scene.id(), 60, key, "GetPurchase"),
        count(scene.id(), 24 * 60, key, "GetPurchase"),
    ];
    store.usage().add(&counts).await.unwrap();
    let read = async |granularity, by_key, by_operation| {
        let grouping = Grouping { by_key, by_operation };
        short(store.usage().read(scene.scope(), query(granularity, grouping)).await.unwrap())
    };
    let named = |name: &str| Some(name.to_owned());
    assert_eq!(read(Granularity::Day, false, false).await, [(0, None, None, 8)]);
    assert_eq!(read(Granularity::Hour, false, false).await, [(0, None, None, 6), (60, None, None, 2)]);
    assert_eq!(read(Granularity::Hour, true, false).await, [(0, None, None, 2), (0, key, None, 4), (60, key, None, 2)]);
    let by_operation = [(0, None, named("GetPurchase"), 4), (0, None, named("ListPurchases"), 4)];
    assert_eq!(read(Granularity::Day, false, true).await, by_operation);
    assert_eq!(read(Granularity::Minute, true, true).await.len(), 4);
    let few = UsageQuery { limit: 2, ..query(Granularity::Minute, Grouping { by_key: true, by_operation: true }) };
    assert_eq!(store.usage().read(scene.scope(), few).await.unwrap().len(), 2);
}

pub async fn usage_of_another_workspace_is_never_seen(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    store.usage().add(&[count(home.id(), 0, Some(home.key.id), "GetPurchase")]).await.unwrap();
    let every = query(Granularity::Day, Grouping::default());
    assert_eq!(store.usage().read(abroad.scope(), every).await.unwrap(), []);
}

pub async fn old_usage_is_forgotten_in_bounded_steps(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let counts: Vec<_> = (0..5).map(|minute| count(scene.id(), minute, None, "GetPurchase")).collect();
    store.usage().add(&counts).await.unwrap();
    assert_eq!(store.usage().forget(MIDNIGHT + 3, 2).await.unwrap(), 2);
    assert_eq!(store.usage().forget(MIDNIGHT + 3, 2).await.unwrap(), 1);
    assert_eq!(store.usage().forget(MIDNIGHT + 3, 2).await.unwrap(), 0);
    let left = store.usage().read(scene.scope(), query(Granularity::Minute, Grouping::default())).await.unwrap();
    assert_eq!(left.len(), 2);
}
