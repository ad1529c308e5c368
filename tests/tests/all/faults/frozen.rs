//! A database server that is stopped and continued half a minute later, as a virtual machine that is moved: calls end in between, and
//! nothing that was acknowledged is lost.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use serde_json::{Value, json};
use tradepost::sql::DatabaseSettings;

use super::outages::append;
use super::valve::Valve;
use crate::cases::merged;
use crate::harness::{Database, Key, Setup, World, url_of};

/// For how long the database stalls.
const FROZEN_FOR: Duration = Duration::from_secs(30);
/// How long a call may take: to the end of its own time limit, and a busy machine's delay.
const A_CALL: Duration = Duration::from_secs(35);
const CALLERS: usize = 8;

/// Sends a signal to what works for the server's connections.
fn signal(name: &str, processes: &[i32]) {
    let numbers = processes.iter().map(ToString::to_string);
    assert!(Command::new("kill").arg(name).args(numbers).status().unwrap().success(), "{name} {processes:?}");
}

/// Stopped processes; they continue when this is dropped, also where a test fails.
struct Stopped(Vec<i32>);

impl Stopped {
    fn new(processes: Vec<i32>) -> Self {
        signal("-STOP", &processes);
        Self(processes)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        signal("-CONT", &self.0);
    }
}

/// The processes of the database server that work for this server.
async fn backends(world: &World) -> Vec<i32> {
    let control = world.place.connect().await;
    let text = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() \
                AND backend_type = 'client backend'";
    let rows = control.query_all_raw(Statement::from_string(DbBackend::Postgres, text)).await.unwrap();
    control.close().await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// One caller for each number appends a link; the requests that were not acknowledged.
async fn wave(world: &World, numbers: std::ops::Range<usize>) -> Vec<Value> {
    let calls = numbers.map(|number| async move {
        let (request, began) = (append(world, number), Instant::now());
        let answer = world.call(Key::Trader, "AppendAssetIDLink", &request).await;
        assert!(began.elapsed() < A_CALL, "a call ends: {:?} {answer:?}", began.elapsed());
        let reason = answer.header("x-error-reason").unwrap_or_default();
        assert!(
            answer.status == 200
                || ["STORAGE_UNAVAILABLE", "OUTCOME_UNKNOWN", "DEADLINE_EXCEEDED", "CONFLICT"].contains(&reason),
            "{answer:?}"
        );
        (answer.status != 200).then_some(request)
    });
    join_all(calls).await.into_iter().flatten().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_stalls_calls_end_and_nothing_acknowledged_is_lost() {
    let valve = Arc::new(Valve::before(&url_of("postgres")).await);
    let led = valve.clone();
    let through = move |settings| match settings {
        DatabaseSettings::Postgres(postgres) => led.lead(&postgres),
        other @ DatabaseSettings::Sqlite(_) => other,
    };
    let world = World::made_with(Database::Postgres, Setup { database: Box::new(through), ..Setup::default() }).await;
    let mut unsettled = wave(&world, 0..CALLERS).await;
    let at_work = backends(&world).await;
    assert!(!at_work.is_empty());
    let mut next = CALLERS;
    // The first calls are in flight when the standstill begins.
    let in_flight = wave(&world, next..next + CALLERS);
    let standstill = async {
        valve.hold();
        (Stopped::new(at_work), Instant::now())
    };
    let (left, (stopped, began)) = tokio::join!(in_flight, standstill);
    unsettled.extend(left);
    while began.elapsed() < FROZEN_FOR {
        next += CALLERS;
        unsettled.extend(wave(&world, next..next + CALLERS).await);
    }
    assert_eq!(world.client.get("/livez").await.status, 200);
    drop(stopped);
    valve.open();
    // What was not acknowledged is sent again until it is; whether it came through the first time makes no difference.
    for request in unsettled {
        while world.call(Key::Trader, "AppendAssetIDLink", &request).await.status != 200 {}
    }
    let item = json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "inventoryItemId": world.desk.item.to_string(),
    });
    let verified = world.call(Key::Reader, "VerifyAssetIDChain", &item).await.ok();
    assert_eq!(verified["valid"], true, "{verified}");
    let whole = merged(item, &json!({ "limit": 200 }));
    let links = world.call(Key::Reader, "ListAssetIDLinks", &whole).await.ok();
    let links = links["assetIdLinks"].as_array().unwrap().iter();
    let mut recorded: Vec<_> =
        links.filter_map(|link| link["sourceId"].as_str()?.strip_prefix("snapshot-of-")).collect();
    recorded.sort_by_key(|number| number.parse::<usize>().unwrap());
    let all: Vec<_> = (0..next + CALLERS).map(|number| number.to_string()).collect();
    assert_eq!(recorded, all, "each link is there once");
}
