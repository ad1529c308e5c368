//! A primary and its standby in one address, without a proxy: the primary is killed or becomes read-only while calls write, the standby is
//! promoted, and the server finds it by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, DatabaseConnection};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::outage_lines::Lines;
use super::promoted::replicated;
use super::{LOG, serve};
use crate::faults::cluster::Cluster;
use crate::faults::two_servers::{Trader, until};
use crate::harness::Client;

/// How soon after the end of the promotion a write is acknowledged.
const WRITES_WITHIN: Duration = Duration::from_secs(3);
/// Callers that write at the same time.
const WRITERS: usize = 4;
/// What is written before the primary is killed, and after the standby was promoted.
const WRITES: [usize; 2] = [40, 40];

/// A write that was acknowledged.
struct Acknowledged {
    id: Value,
    at: Instant,
}

/// What the writers share.
#[derive(Clone, Default)]
struct Progress {
    written: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Progress {
    async fn reach(&self, written: usize) {
        let mut looks = tokio::time::interval(Duration::from_millis(10));
        while self.written.load(Ordering::SeqCst) < written {
            looks.tick().await;
        }
    }
}

/// Creates filter sets until it is over.
fn writer(client: Client, trader: Trader, progress: Progress, writer: usize) -> JoinHandle<Vec<Acknowledged>> {
    tokio::spawn(async move {
        let mut acknowledged = Vec::new();
        let mut pace = tokio::time::interval(Duration::from_millis(50));
        for number in 0.. {
            pace.tick().await;
            if progress.is_over.load(Ordering::SeqCst) {
                break;
            }
            let draft = json!({
                "workspaceId": trader.workspace_id,
                "name": format!("Set {writer}-{number}"),
                "rules": { "marketHashNames": [format!("Item {writer}-{number}")] },
            });
            let answer = client.call(Some(&trader.key), "CreateFilterSet", &draft).await;
            match answer.status {
                200 => {
                    progress.written.fetch_add(1, Ordering::SeqCst);
                    acknowledged
                        .push(Acknowledged { id: answer.json()["filterSet"]["id"].clone(), at: Instant::now() });
                }
                // The database is away.
                500 => {}
                _ => panic!("{answer:?}"),
            }
        }
        acknowledged
    })
}

async fn assert_all_are_there(client: &Client, trader: &Trader, acknowledged: &[Acknowledged]) {
    for written in acknowledged.chunks(100) {
        let ids: Vec<&Value> = written.iter().map(|written| &written.id).collect();
        let request = json!({ "workspaceId": trader.workspace_id, "filterSetIds": ids });
        let answered = client.call(Some(&trader.key), "GetFilterSets", &request).await.ok();
        assert_eq!(answered["filterSets"].as_array().unwrap().len(), ids.len(), "{}", answered["missingIds"]);
    }
}

/// Both servers in one address.
fn address(servers: [&Cluster; 2]) -> String {
    let places = servers.map(|server| server.url().split_once('@').unwrap().1.split_once('/').unwrap().0.to_owned());
    format!("postgres://app@{}/postgres", places.join(","))
}

/// Revokes every key behind the server's back, as another process on the database does, and waits until it is refused.
pub(super) async fn assert_a_revoked_key_is_heard(client: &Client, trader: &Trader, database: &DatabaseConnection) {
    let count = json!({ "workspaceId": trader.workspace_id });
    client.call(Some(&trader.key), "CountFilterSets", &count).await.ok();
    let revoked = Instant::now();
    database.execute_unprepared("UPDATE api_keys SET revoked_at = created_at, version = version + 1").await.unwrap();
    while client.call(Some(&trader.key), "CountFilterSets", &count).await.status != 401 {
        assert!(revoked.elapsed() < Duration::from_secs(3), "the key is remembered, and nothing was heard");
    }
}

/// How a primary ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Killed,
    /// It still answers, and refuses writes, as after an orderly switchover.
    ReadOnly,
}

async fn end(primary: &mut Cluster, how: End) {
    match how {
        End::Killed => primary.kill().await,
        End::ReadOnly => {
            let control = primary.connect().await;
            control.execute_unprepared("ALTER SYSTEM SET default_transaction_read_only = on").await.unwrap();
            control.execute_unprepared("SELECT pg_reload_conf()").await.unwrap();
            // A commit that is in progress still waits for the standby.
            let is_read_only = "(current_setting('transaction_read_only') = 'on' \
                AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' \
                AND state = 'active' AND pid <> pg_backend_pid()))";
            until(&control, is_read_only).await;
            control.close().await.unwrap();
        }
    }
}

/// Ends the primary under load and promotes the standby, with the servers in this order in the address.
async fn promote(is_primary_first: bool, how: End) {
    let [mut primary, mut standby] = replicated().await;
    let address = address(if is_primary_first { [&primary, &standby] } else { [&standby, &primary] });
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let server = serve(folder, &address, &[]).await;
    let (client, trader) = (Client::of(server.url()), Trader::of(folder, &server));
    let progress = Progress::default();
    let writers = (0..WRITERS).map(|number| writer(client.clone(), trader.clone(), progress.clone(), number));
    let writers: Vec<_> = writers.collect();
    let [before, after] = WRITES;
    progress.reach(before).await;
    let ended = Instant::now();
    end(&mut primary, how).await;
    let database = standby.connect().await;
    until(&database, "(pg_promote())").await;
    let promoted = Instant::now();
    progress.reach(progress.written.load(Ordering::SeqCst) + after).await;
    progress.is_over.store(true, Ordering::SeqCst);
    let acknowledged: Vec<_> = join_all(writers).await.into_iter().flat_map(Result::unwrap).collect();
    let first = acknowledged.iter().map(|written| written.at).filter(|at| *at > promoted).min().unwrap();
    println!(
        "promoted {:?} after the end of the primary; first write {:?} after the promotion; {} acknowledged",
        promoted - ended,
        first - promoted,
        acknowledged.len()
    );
    assert!(first - promoted < WRITES_WITHIN, "{:?}", first - promoted);
    assert_all_are_there(&client, &trader, &acknowledged).await;
    if how == End::Killed {
        // The server listens to one that still answers for up to 5 s, as long as a key is remembered.
        assert_a_revoked_key_is_heard(&client, &trader, &database).await;
    }
    server.stop().await;
    Lines::of(&folder.join(LOG)).assert_one_outage();
    database.close().await.unwrap();
    standby.stop().await;
    if how == End::ReadOnly {
        primary.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_both_databases_in_its_address_writes_to_the_standby_once_it_is_promoted() {
    promote(true, End::Killed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_order_of_the_databases_in_the_address_makes_no_difference_to_a_promotion() {
    promote(false, End::Killed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_becomes_read_only_is_left_for_its_standby_once_that_is_promoted() {
    promote(true, End::ReadOnly).await;
}
