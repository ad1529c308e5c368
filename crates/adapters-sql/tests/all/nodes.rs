//! What several processes on one PostgreSQL server have in common: rate limits to the call, how many they are, and the
//! notification of changed rights.

use std::sync::Arc;
use std::time::Duration;
use tradepost_ports::store::Records;

use futures::future::join_all;
use sea_orm::ConnectionTrait as _;
use tokio::time::timeout;
use tradepost_adapters_sql::SqlStore;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::{LiveProcesses, Quota, RateClass, SharedCounts, Verdict};
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::Scene;

use crate::support::{TestStore, column, postgres, sqlite};

/// Five calls at once, then one an hour: none comes back while a test runs.
const QUOTA: Quota = Quota { calls: 1, window: Duration::from_hours(1), burst: 5 };

/// How long anything may take before the test has failed.
const PATIENCE: Duration = Duration::from_secs(10);

struct Nodes {
    first: Arc<dyn SharedCounts>,
    second: Arc<dyn SharedCounts>,
    stores: (TestStore, SqlStore),
}

async fn nodes() -> Nodes {
    let first = postgres().await;
    let second = SqlStore::open(first.place.settings()).await.unwrap();
    let counts = |store: &SqlStore| store.shared_counts().unwrap();
    Nodes { first: counts(&first.store), second: counts(&second), stores: (first, second) }
}

async fn guess(counts: &dyn SharedCounts, partition: &[u8]) -> Verdict {
    counts.charge(RateClass::Password, partition, QUOTA).await.unwrap()
}

#[tokio::test]
async fn two_processes_together_give_out_one_burst() {
    let nodes = nodes().await;
    let tries = (0..64).map(|number| {
        let counts = if number % 2 == 0 { &nodes.first } else { &nodes.second };
        guess(counts.as_ref(), b"ada@example.com")
    });
    let allowed = join_all(tries).await.into_iter().filter(|verdict| verdict.allowed).count();
    assert_eq!(allowed, 5);
}

#[tokio::test]
async fn what_is_left_counts_down_and_a_refusal_says_when_to_come_back() {
    let nodes = nodes().await;
    for remaining in (0..5).rev() {
        assert_eq!(guess(nodes.first.as_ref(), b"key").await.remaining, remaining);
    }
    let refusal = guess(nodes.second.as_ref(), b"key").await;
    assert!(!refusal.allowed);
    assert!(refusal.wait > Duration::from_mins(59) && refusal.wait <= Duration::from_hours(1), "{refusal:?}");
}

#[tokio::test]
async fn a_call_that_one_process_refunds_can_be_made_at_another() {
    let nodes = nodes().await;
    for _ in 0..5 {
        assert!(guess(nodes.first.as_ref(), b"key").await.allowed);
    }
    nodes.second.refund(RateClass::Password, b"key", QUOTA).await.unwrap();
    nodes.second.refund(RateClass::Password, b"unknown", QUOTA).await.unwrap();
    assert!(guess(nodes.first.as_ref(), b"key").await.allowed);
    assert!(!guess(nodes.second.as_ref(), b"key").await.allowed);
}

#[tokio::test]
async fn waiting_for_the_reported_time_is_enough() {
    let nodes = nodes().await;
    let quota = Quota { calls: 20, window: Duration::from_secs(1), burst: 1 };
    let charge = || nodes.first.charge(RateClass::Code, b"key", quota);
    while charge().await.unwrap().allowed {}
    let wait = charge().await.unwrap().wait;
    assert!(wait <= Duration::from_millis(50), "{wait:?}");
    timeout(PATIENCE, async { while !charge().await.unwrap().allowed {} }).await.unwrap();
}

#[tokio::test]
async fn partitions_and_classes_are_counted_apart() {
    let nodes = nodes().await;
    for _ in 0..5 {
        guess(nodes.first.as_ref(), b"one").await;
    }
    assert!(!guess(nodes.first.as_ref(), b"one").await.allowed);
    assert!(guess(nodes.first.as_ref(), b"other").await.allowed);
    assert!(nodes.first.charge(RateClass::Mail, b"one", QUOTA).await.unwrap().allowed);
}

#[tokio::test]
async fn processes_that_are_alive_are_counted_and_know_the_latest_and_silent_ones_are_not() {
    let nodes = nodes().await;
    let (first, second) = (async || nodes.first.beat([1; 16]).await, async || nodes.second.beat([2; 16]).await);
    let seen = |count, is_latest| Ok(LiveProcesses { count, is_latest });
    assert_eq!(first().await, seen(1, true));
    assert_eq!(second().await, seen(2, true));
    assert_eq!(first().await, seen(2, false));
    let silent = "UPDATE nodes SET seen_at = seen_at - 16000000 WHERE id = '02020202-0202-0202-0202-020202020202'";
    nodes.stores.0.place.connect().await.execute_unprepared(silent).await.unwrap();
    assert_eq!(first().await, seen(1, true));
    assert_eq!(second().await, seen(2, true));
    nodes.second.leave([2; 16]).await.unwrap();
    assert_eq!(first().await, seen(1, true));
}

#[tokio::test]
async fn processes_that_trade_by_records_know_of_each_other_until_one_leaves_or_is_silent() {
    let (test, other) = nodes().await.stores;
    let (first, second) = (test.store.trading_processes().unwrap(), other.trading_processes().unwrap());
    assert_eq!(first.beat([1; 16]).await, Ok(vec![]));
    assert_eq!(second.beat([2; 16]).await, Ok(vec![[1; 16]]));
    assert_eq!(first.beat([1; 16]).await, Ok(vec![[2; 16]]));
    second.leave([2; 16]).await.unwrap();
    assert_eq!(first.beat([1; 16]).await, Ok(vec![]));
    second.beat([2; 16]).await.unwrap();
    let silent =
        "UPDATE trading_processes SET seen_at = seen_at - 7000000 WHERE id = '02020202-0202-0202-0202-020202020202'";
    test.place.connect().await.execute_unprepared(silent).await.unwrap();
    assert_eq!(first.beat([1; 16]).await, Ok(vec![]));
    assert_eq!(second.beat([2; 16]).await, Ok(vec![[1; 16]]));
}

#[tokio::test]
async fn the_process_of_a_sqlite_file_shares_it_with_none() {
    assert!(sqlite().await.store.trading_processes().is_none());
}

#[tokio::test]
async fn counts_of_callers_whose_burst_is_back_are_forgotten() {
    let nodes = nodes().await;
    guess(nodes.first.as_ref(), b"busy").await;
    guess(nodes.first.as_ref(), b"idle").await;
    let db = nodes.stores.0.place.connect().await;
    db.execute_unprepared("UPDATE rate_limits SET full_at = 0 WHERE partition = 'idle'").await.unwrap();
    nodes.first.beat([1; 16]).await.unwrap();
    assert_eq!(column(&db, 0, "SELECT convert_from(partition, 'UTF8') FROM rate_limits").await, ["busy"]);
}

#[tokio::test]
async fn a_change_of_rights_is_heard_of_by_who_did_not_make_it() {
    let (test, other) = nodes().await.stores;
    let scene = Scene::founded(&test.store, 1).await;
    let mut news = other.listen_for_rights().await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    let user = test.store.users().find(scene.user.id).await.unwrap().unwrap();
    changes.revise(user, Ok::<_, ()>).unwrap();
    test.store.commit(changes).await.unwrap();
    timeout(PATIENCE, news.next()).await.unwrap().unwrap();
}

/// The timer of a server's socket to this port, on this machine: its kind, and hundredths of a second.
fn timer_towards(port: &str) -> Option<(String, u64)> {
    let port = format!(":{:04X}", port.parse::<u16>().unwrap());
    let sockets = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let fields = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let socket = sockets.lines().map(fields).find(|fields| fields.get(2).is_some_and(|far| far.ends_with(&port)))?;
    let (kind, left) = socket.get(5)?.split_once(':')?;
    Some((kind.to_owned(), u64::from_str_radix(left, 16).unwrap()))
}

/// The kernel probes a silent connection with the timer 2, after two hours unless it is set otherwise.
#[tokio::test]
async fn the_server_probes_the_connection_of_a_lock_within_seconds() {
    let test = postgres().await;
    let _turn = test.store.quotes().begin_reading().await.unwrap().unwrap();
    let db = test.place.connect().await;
    let held = "SELECT client_port::text FROM pg_stat_activity WHERE datname = current_database() \
                AND pid <> pg_backend_pid() AND query LIKE '%tradepost_reading_prices%'";
    let probing = async {
        loop {
            let ports = column(&db, 0, held).await;
            let timer = ports.first().and_then(|port| timer_towards(port));
            if timer.is_some_and(|(kind, left)| kind == "02" && left <= 1_500) {
                return;
            }
        }
    };
    timeout(PATIENCE, probing).await.unwrap();
}

#[tokio::test]
async fn a_listener_fails_when_the_connection_is_lost() {
    let test = postgres().await;
    let mut news = test.store.listen_for_rights().await.unwrap().unwrap();
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    test.place.connect().await.execute_unprepared(end).await.unwrap();
    assert!(timeout(PATIENCE, news.next()).await.unwrap().is_err());
}

#[tokio::test]
async fn one_process_alone_has_nothing_to_share() {
    let test = sqlite().await;
    assert!(test.store.shared_counts().is_none());
    assert!(test.store.listen_for_rights().await.unwrap().is_none());
}
