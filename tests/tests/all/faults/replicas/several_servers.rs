//! A primary and its standby in one address, without a proxy: the standby is promoted while calls write, and the server finds it by itself.

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

/// Promotes the standby under load, with the servers in this order in the address.
async fn promote(is_primary_first: bool) {
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
    let killed = Instant::now();
    primary.kill().await;
    let database = standby.connect().await;
    until(&database, "(pg_promote())").await;
    let promoted = Instant::now();
    progress.reach(progress.written.load(Ordering::SeqCst) + after).await;
    progress.is_over.store(true, Ordering::SeqCst);
    let acknowledged: Vec<_> = join_all(writers).await.into_iter().flat_map(Result::unwrap).collect();
    let first = acknowledged.iter().map(|written| written.at).filter(|at| *at > promoted).min().unwrap();
    println!(
        "promoted {:?} after the kill; first write {:?} after the promotion; {} acknowledged",
        promoted - killed,
        first - promoted,
        acknowledged.len()
    );
    assert!(first - promoted < WRITES_WITHIN, "{:?}", first - promoted);
    assert_all_are_there(&client, &trader, &acknowledged).await;
    assert_a_revoked_key_is_heard(&client, &trader, &database).await;
    server.stop().await;
    Lines::of(&folder.join(LOG)).assert_one_outage();
    database.close().await.unwrap();
    standby.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_both_databases_in_its_address_writes_to_the_standby_once_it_is_promoted() {
    promote(true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_order_of_the_databases_in_the_address_makes_no_difference_to_a_promotion() {
    promote(false).await;
}
