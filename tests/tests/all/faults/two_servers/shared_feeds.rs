//! Servers on one PostgreSQL of which one reads the lists of prices: another one reads them once that one is killed.

use std::collections::BTreeMap;
use std::path::Path;

use sea_orm::DatabaseConnection;
use serde_json::json;
use tradepost_fakes::{Addresses, Fakes, serve};

use super::{LOOKING, PATIENCE, Running, Trader, row, run};
use crate::harness::{Client, Database, Mailbox, Place};

const OWNER: &str = "owner@example.com";
/// The name of the server whose session has the lock of those that read.
const READER: &str = "(SELECT max(a.application_name) FROM pg_locks l JOIN pg_stat_activity a USING (pid) \
    WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database() \
    AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtext('tradepost_reading_prices'))";

/// A server whose connections have its name, and that reads prices at this address.
async fn server(folder: &Path, place: &Place, name: &str, prices: &str) -> Running {
    let database = format!("{}?application_name={name}", place.url());
    let mut command = run(folder, &["--listen", "127.0.0.1:0", "--database", &database]);
    command.env("TRADEPOST_BOOTSTRAP__EMAIL", OWNER).env("TRADEPOST_OUTSIDE__ADDRESSES__SKINPORT", prices);
    Running::start(command, &folder.join(format!("{name}.log"))).await
}

/// Creates a source of prices. It takes a second factor: the owner has a mailbox.
async fn create_source(folder: &Path, trader: &Trader, server: &Running) {
    let (client, key) = (Client::of(server.url()), Some(trader.key.as_str()));
    let begun = client.call(key, "BeginStepUp", &json!({})).await.ok();
    let code = Mailbox::at(folder.join("data/mail")).code(OWNER);
    let answer = json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_EMAIL", "code": code });
    client.call(key, "CompleteStepUp", &answer).await.ok();
    let source = json!({
        "workspaceId": trader.workspace_id, "kind": "PROVIDER_KIND_PRICE_SOURCE",
        "driver": "skinport", "name": "skinport", "currency": "USD",
    });
    client.call(key, "CreateProvider", &source).await.ok();
}

/// Waits until the list was read so often.
async fn until_read(fakes: &Fakes, times: usize) {
    let waiting = async {
        let mut looks = tokio::time::interval(LOOKING);
        while fakes.ledger().len() < times {
            looks.tick().await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok(), "{:?}", fakes.ledger());
}

async fn reader(database: &DatabaseConnection) -> String {
    row(database, READER).await.try_get("", "found").unwrap()
}

/// Kills the server that reads until one is left, which reads at last.
async fn kill_each_that_reads(servers: usize) {
    let (place, folder) = (Place::new(Database::Postgres).await, tempfile::tempdir().unwrap());
    let (folder, database) = (folder.path(), place.connect().await);
    let fakes = Fakes::of_seed(3).unwrap();
    let facades = serve(&fakes, Addresses::default(), "token").await.unwrap();
    let mut running = BTreeMap::new();
    // One after the other, as the first creates the root secret and the caller.
    for number in 1..=servers {
        let name = format!("node-{number}");
        running.insert(name.clone(), server(folder, &place, &name, &facades.skinport).await);
    }
    create_source(folder, &Trader::of(folder, &running["node-1"]), &running["node-1"]).await;
    for read in 1..servers {
        until_read(&fakes, read).await;
        let mut killed = running.remove(&reader(&database).await).unwrap();
        killed.process.kill().await.unwrap();
    }
    until_read(&fakes, servers).await;
    assert!(running.contains_key(&reader(&database).await));
    for (_, left) in running {
        left.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_reads_prices_once_the_one_that_read_them_is_killed() {
    kill_each_that_reads(2).await;
}

mod long {
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_three_servers_the_last_reads_prices_once_the_others_are_killed() {
        super::kill_each_that_reads(3).await;
    }
}
