//! A process that serves and trades is killed, over and over, while many write.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinSet;
use tradepost_domain::id::InventoryItemId;
use tradepost_ports::clock::Clock as _;

use super::ledger::{Books, Ledger};
use crate::harness::{Client, Place, Settled, on_both_databases, open};

const KILLS: u64 = 20;
const APPENDERS: u64 = 8;

on_both_databases! {
    async fn nothing_acknowledged_is_lost_when_the_process_is_killed_twenty_times(database) {
        let place = Place::new(database).await;
        let folder = tempfile::tempdir().unwrap();
        let settled = Settled::at(&place, &folder.path().join("root-secret")).await;
        let mut ledger = Ledger::default();
        for round in 0..KILLS {
            let engine = Engine::start(&place, &folder, &settled).await;
            // A later moment in each round, so that the kills fall into different places.
            engine.live(&settled, 10 + 7 * round, &mut ledger).await;
            let app = open(&place, &folder.path().join("root-secret")).await;
            let (workspace_id, contract_id, items) = (settled.workspace_id, settled.contract_id, &settled.items);
            Books { place: &place, app: &app, workspace_id, contract_id, items }.audit(&ledger).await;
            app.shutdown().await.unwrap();
        }
        assert!(ledger.links.len() as u64 > KILLS, "{} links", ledger.links.len());
        assert!(ledger.purchases.len() as u64 > KILLS, "{} purchases", ledger.purchases.len());
    }
}

/// The process that is killed.
struct Engine {
    process: Child,
    said: Lines<BufReader<ChildStdout>>,
    client: Client,
}

impl Engine {
    async fn start(place: &Place, folder: &TempDir, settled: &Settled) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .arg(place.url())
            .arg(folder.path().join("root-secret"))
            .arg(settled.workspace_id.to_string())
            .arg(settled.contract_id.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = said.next_line().await.unwrap().expect("the engine says its address");
        Self { process, said, client: Client::of(address) }
    }

    /// Lets everybody write until so much is acknowledged, then kills, and notes what was acknowledged.
    async fn live(mut self, settled: &Settled, wanted: u64, ledger: &mut Ledger) {
        let acknowledged = Arc::new(AtomicU64::new(0));
        let mut appenders = JoinSet::new();
        for number in 0..APPENDERS {
            let item = settled.items[usize::try_from(number).unwrap() % settled.items.len()];
            let (client, token) = (self.client.clone(), settled.token.clone());
            let appender = Appender { client, token, workspace: settled.workspace_id.to_string(), item };
            appenders.spawn(appender.append_until_the_end(acknowledged.clone()));
        }
        let mut purchases = BTreeMap::new();
        while acknowledged.load(Ordering::SeqCst) + purchases.len() as u64 <= wanted || purchases.is_empty() {
            let line = self.said.next_line().await.unwrap().expect("the engine lives until it is killed");
            note(&line, &mut purchases);
        }
        self.process.start_kill().unwrap();
        self.process.wait().await.unwrap();
        // What it had said before it died is still in the pipe; the last line may be cut off.
        while let Ok(Some(line)) = self.said.next_line().await {
            note(&line, &mut purchases);
        }
        ledger.purchases.extend(purchases);
        while let Some(links) = appenders.join_next().await {
            ledger.links.extend(links.unwrap());
        }
    }
}

fn note(line: &str, purchases: &mut BTreeMap<tradepost_domain::id::PurchaseId, i64>) {
    let Some((id, version)) = line.split_once(' ') else { return };
    if let (Ok(id), Ok(version)) = (id.parse(), version.parse()) {
        purchases.insert(id, version);
    }
}

/// Somebody who appends links to an item.
struct Appender {
    client: Client,
    token: String,
    workspace: String,
    item: InventoryItemId,
}

impl Appender {
    /// Gives the links that were acknowledged until the process was gone.
    async fn append_until_the_end(self, acknowledged: Arc<AtomicU64>) -> BTreeMap<(InventoryItemId, u64), String> {
        let mut links = BTreeMap::new();
        loop {
            let asset_id = fresh_asset_id();
            let request = json!({
                "workspaceId": self.workspace,
                "inventoryItemId": self.item.to_string(),
                "assetId": asset_id,
                "source": "inventory",
                "sourceId": format!("snapshot-{asset_id}"),
            });
            let Ok(answer) = self.client.try_call(Some(&self.token), "AppendAssetIDLink", &request).await else {
                return links;
            };
            links.insert((self.item, answer.ok()["assetIdLink"]["step"].as_u64().unwrap()), asset_id);
            acknowledged.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// An asset id that no other call in this process makes.
fn fresh_asset_id() -> String {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let now = u64::try_from(tradepost::SystemClock.now().as_micros()).unwrap();
    format!("{}", 10 * now + MADE.fetch_add(1, Ordering::SeqCst) % 10)
}
