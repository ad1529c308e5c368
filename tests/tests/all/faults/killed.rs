//! A process that serves and trades is killed, over and over, while many write.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, DatabaseConnection, Statement};
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinSet;
use tradepost_domain::id::InventoryItemId;
use tradepost_operations::Caller;
use tradepost_operations::accounts::DestroyWorkspaceKey;
use tradepost_ports::clock::Clock as _;

use super::ledger::{Books, Ledger, Links};
use crate::harness::{Client, Kept, Place, Settled, on_both_databases, open};

const KILLS: u64 = 20;
const APPENDERS: u64 = 8;
const SECRETS: u128 = 3_000;

on_both_databases! {
    long on_postgresql;

    async fn nothing_acknowledged_is_lost_when_the_process_is_killed_twenty_times(database) {
        let place = Place::new(database).await;
        let folder = tempfile::tempdir().unwrap();
        let settled = Settled::at(&place, &folder.path().join("root-secret")).await;
        let mut ledger = Ledger::default();
        for round in 0..KILLS {
            let engine = Engine::start(&place, &folder, Some(&settled)).await;
            // A later moment in each round, so that the kills fall into different places.
            engine.live(&settled, 10 + 7 * round, &mut ledger).await;
            let app = open(&place, &folder.path().join("root-secret")).await;
            let (workspace_id, contract_id, items) = (settled.workspace_id, settled.contract_id, &settled.items);
            Books { place: &place, app: &app, workspace_id, contract_id, items }.audit(&ledger).await;
            app.shutdown().await.unwrap();
        }
        assert!(ledger.links.len() as u64 > KILLS, "{} links", ledger.links.len());
        assert!(ledger.purchases.len() as u64 > KILLS, "{} purchases", ledger.purchases.len());
        println!("{KILLS} kills: {} links, {} purchases, none lost", ledger.links.len(), ledger.purchases.len());
    }

    async fn resealing_continues_after_a_kill_and_loses_no_secret(database) {
        let place = Place::new(database).await;
        let folder = tempfile::tempdir().unwrap();
        let root_secret = folder.path().join("root-secret");
        let workspace_id = Settled::at(&place, &root_secret).await.workspace_id;
        let app = open(&place, &root_secret).await;
        let kept = Kept { operations: app.operations(), workspace_id };
        for numbers in (0..SECRETS).collect::<Vec<_>>().chunks(100) {
            join_all(numbers.iter().map(|number| async { kept.keep(*number, &secret(*number)).await })).await;
        }
        kept.rotate().await;
        app.shutdown().await.unwrap();

        let connection = place.connect().await;
        let (mut kills_in_the_middle, mut left) = (0, under_the_first_key(&connection).await);
        while left > 0 {
            let mut engine = Engine::start(&place, &folder, None).await;
            while under_the_first_key(&connection).await == left {
                tokio::task::yield_now().await;
            }
            engine.process.kill().await.unwrap();
            left = under_the_first_key(&connection).await;
            kills_in_the_middle += u32::from(left > 0);
        }
        assert!(kills_in_the_middle > 0, "all was sealed anew before the process could be killed");
        connection.close().await.unwrap();

        let app = open(&place, &root_secret).await;
        let kept = Kept { operations: app.operations(), workspace_id };
        let [active, retired] = kept.keys().await.try_into().unwrap();
        assert_eq!((u128::from(active.records), retired.records), (SECRETS, 0));
        let destroy = DestroyWorkspaceKey { workspace_id, workspace_key_id: retired.key.id };
        app.operations().destroy_workspace_key(&Caller::system(), destroy).await.unwrap();
        for number in 0..SECRETS {
            assert_eq!(kept.read(number).await.unwrap(), Some(secret(number)));
        }
        app.shutdown().await.unwrap();
    }
}

fn secret(number: u128) -> String {
    format!("secret {number}")
}

async fn under_the_first_key(connection: &DatabaseConnection) -> i64 {
    let count = "SELECT count(*) AS n FROM workspace_secrets WHERE key_number = 1";
    let count = Statement::from_string(connection.get_database_backend(), count);
    connection.query_one_raw(count).await.unwrap().unwrap().try_get("", "n").unwrap()
}

/// The process that is killed.
pub(super) struct Engine {
    pub(super) process: Child,
    said: Lines<BufReader<ChildStdout>>,
    pub(super) client: Client,
}

impl Engine {
    /// Serves, and trades where there is a workspace to trade for.
    pub(super) async fn start(place: &Place, folder: &TempDir, trading: Option<&Settled>) -> Self {
        let started = Self::of(&mut Self::command(place, folder, trading)).await;
        started.expect("the engine says its address")
    }

    /// How it is started.
    pub(super) fn command(place: &Place, folder: &TempDir, trading: Option<&Settled>) -> Command {
        let trading = trading.map(|settled| [settled.workspace_id.to_string(), settled.contract_id.to_string()]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
        command.arg(place.url()).arg(folder.path().join("root-secret")).args(trading.into_iter().flatten());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        command
    }

    /// The one that a command starts, if it lives until it has said its address.
    pub(super) async fn of(command: &mut Command) -> Option<Self> {
        let mut process = command.spawn().unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = said.next_line().await.unwrap()?;
        Some(Self { process, said, client: Client::of(address) })
    }

    /// Lets all callers write until so much is acknowledged, then kills, and notes what was acknowledged.
    async fn live(mut self, settled: &Settled, wanted: u64, ledger: &mut Ledger) {
        let acknowledged = Arc::new(AtomicU64::new(0));
        let mut appenders = self.appenders(settled, &acknowledged);
        let mut purchases = BTreeMap::new();
        while acknowledged.load(Ordering::SeqCst) + purchases.len() as u64 <= wanted || purchases.is_empty() {
            let line = self.said.next_line().await.unwrap().expect("the engine lives until it is killed");
            note(&line, &mut purchases);
        }
        self.process.kill().await.unwrap();
        self.end(purchases, &mut appenders, ledger).await;
    }

    /// Lets all callers write until it ends by itself, and notes what was acknowledged.
    pub(super) async fn live_until_its_end(mut self, settled: &Settled, ledger: &mut Ledger) {
        let mut appenders = self.appenders(settled, &Arc::default());
        self.end(BTreeMap::new(), &mut appenders, ledger).await;
        self.process.wait().await.unwrap();
    }

    fn appenders(&self, settled: &Settled, acknowledged: &Arc<AtomicU64>) -> JoinSet<Links> {
        let mut appenders = JoinSet::new();
        for number in 0..APPENDERS {
            let item = settled.items[usize::try_from(number).unwrap() % settled.items.len()];
            let (client, token) = (self.client.clone(), settled.token.clone());
            let appender = Appender { client, token, workspace: settled.workspace_id.to_string(), item };
            appenders.spawn(appender.append_until_the_end(acknowledged.clone()));
        }
        appenders
    }

    async fn end(
        &mut self,
        mut purchases: BTreeMap<tradepost_domain::id::PurchaseId, i64>,
        appenders: &mut JoinSet<Links>,
        ledger: &mut Ledger,
    ) {
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

/// A caller that appends links to an item.
struct Appender {
    client: Client,
    token: String,
    workspace: String,
    item: InventoryItemId,
}

impl Appender {
    /// Returns the links that were acknowledged until the process had ended.
    async fn append_until_the_end(self, acknowledged: Arc<AtomicU64>) -> Links {
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
            // The process may have lost its database.
            if matches!(
                answer.header("x-error-reason"),
                Some("STORAGE_UNAVAILABLE" | "OUTCOME_UNKNOWN" | "DEADLINE_EXCEEDED")
            ) {
                return links;
            }
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
