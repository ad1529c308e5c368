//! A standby that PostgreSQL replicates to before it acknowledges anything is promoted while purchases are in flight: its primary is killed,
//! and the server finds the standby at the same address.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DatabaseConnection};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::faults::cluster::Cluster;
use crate::faults::two_servers::{Running, Trader, assert_books_agree, row, server, until, world};
use crate::faults::valve::Valve;
use crate::harness::{Client, Place};

/// What is bought before the primary is killed, and in all.
const ITEMS: [i64; 2] = [3, 14];

/// A primary that acknowledges nothing before its standby has it.
pub(super) async fn replicated() -> [Cluster; 2] {
    let mut primary = Cluster::new().await;
    assert!(primary.start(&mut primary.command()).await, "{}", primary.log());
    let mut standby = primary.standby().await;
    assert!(standby.start(&mut standby.command()).await, "{}", standby.log());
    let control = primary.connect().await;
    control.execute_unprepared("ALTER SYSTEM SET synchronous_standby_names = '*'").await.unwrap();
    control.execute_unprepared("SELECT pg_reload_conf()").await.unwrap();
    until(&control, "(SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync')").await;
    control.close().await.unwrap();
    [primary, standby]
}

/// Keeps purchases in flight once so many items were bought: the update that would note an outcome waits for a lock that this connection
/// holds. The standby has the trigger as well, but no connection holds the lock there.
async fn hold_purchases_in_flight(primary: &DatabaseConnection, bought: i64) {
    let trigger = format!(
        "CREATE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
           IF (SELECT count(*) FROM inventory_items) >= {bought} THEN PERFORM pg_advisory_xact_lock(1); END IF; \
           RETURN NEW; \
         END $$; \
         CREATE TRIGGER wait_for_the_test BEFORE UPDATE ON purchases FOR EACH ROW WHEN (OLD.status IN (1, 2, 3)) \
         EXECUTE FUNCTION wait_for_the_test(); \
         SELECT pg_advisory_lock(1);"
    );
    primary.execute_unprepared(&trigger).await.unwrap();
}

/// A caller that creates filter sets until it is stopped; returns the ids of those that were acknowledged.
fn writer(client: Client, trader: Trader, stop: Arc<tokio::sync::Notify>) -> JoinHandle<Vec<Value>> {
    tokio::spawn(async move {
        let mut acknowledged = Vec::new();
        let mut pace = tokio::time::interval(Duration::from_millis(50));
        for number in 0.. {
            pace.tick().await;
            let draft = json!({
                "workspaceId": trader.workspace_id,
                "name": format!("Set {number}"),
                "rules": { "marketHashNames": [format!("Item {number}")] },
            });
            let call = client.call(Some(&trader.key), "CreateFilterSet", &draft);
            let answer = tokio::select! {
                answer = call => answer,
                () = stop.notified() => return acknowledged,
            };
            match answer.status {
                200 => acknowledged.push(answer.json()["filterSet"]["id"].clone()),
                // The database is away, or it is overloaded.
                500 | 429 => {}
                _ => panic!("{answer:?}"),
            }
        }
        acknowledged
    })
}

async fn assert_all_are_there(client: &Client, trader: &Trader, acknowledged: &[Value]) {
    for ids in acknowledged.chunks(100) {
        let request = json!({ "workspaceId": trader.workspace_id, "filterSetIds": ids });
        let answered = client.call(Some(&trader.key), "GetFilterSets", &request).await.ok();
        assert_eq!(answered["filterSets"].as_array().unwrap().len(), ids.len(), "{}", answered["missingIds"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn purchases_in_flight_while_a_synchronous_standby_is_promoted_are_made_once_and_nothing_acknowledged_is_lost() {
    let [mut primary, mut standby] = replicated().await;
    let valve = Valve::before(&primary.url()).await;
    let (place, folder) = (Place::At { url: valve.lead_url(&primary.url()) }, tempfile::tempdir().unwrap());
    let folder = folder.path();
    let world: Running = world(folder).await;
    let server = server(folder, &place, "node-1", &world).await;
    let trader = Trader::of(folder, &server);
    let [begun, all] = ITEMS;
    let database = primary.connect().await;
    hold_purchases_in_flight(&database, begun).await;
    trader.buy(&server, all).await;
    let client = Client::of(server.url());
    let stop = Arc::new(tokio::sync::Notify::new());
    let writer = writer(client.clone(), trader.clone(), stop.clone());
    let is_in_flight = format!(
        "((SELECT count(*) FROM inventory_items) >= {begun} AND EXISTS (SELECT 1 FROM purchases WHERE status IN (1, 2, 3)))"
    );
    until(&database, &is_in_flight).await;
    drop(database);
    primary.kill().await;
    valve.shut();
    let database = standby.connect().await;
    until(&database, "(pg_promote())").await;
    valve.lead_to(&standby.url());
    valve.open();

    let is_over = format!(
        "((SELECT count(*) FROM inventory_items) >= {all} \
         AND NOT EXISTS (SELECT 1 FROM purchases WHERE status NOT IN (7, 8, 9, 10, 12, 14)))"
    );
    until(&database, &is_over).await;
    stop.notify_one();
    let acknowledged = writer.await.unwrap();
    assert!(!acknowledged.is_empty());
    assert_all_are_there(&client, &trader, &acknowledged).await;
    server.stop().await;
    let bought: i64 = row(&database, "(SELECT count(*) FROM inventory_items)").await.try_get("", "found").unwrap();
    assert_eq!(bought, all, "not as many as are wanted");
    assert_books_agree(folder, &place, &world).await;
    database.close().await.unwrap();
    standby.stop().await;
    println!("{} filter sets acknowledged, {bought} items bought", acknowledged.len());
}
