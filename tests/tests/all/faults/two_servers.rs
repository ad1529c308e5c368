//! Two servers on one PostgreSQL that trade in a world that a third process serves: the one that buys is killed in the
//! middle of it, and the other goes on where it was.

mod many_workspaces;
mod shared_desks;
mod shared_duty;
mod shared_feeds;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, QueryResult, Statement};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tradepost_adapters_simulator::{Answer, RemoteSimulator, Request, WorldCommand, WorldTransport as _};
use tradepost_ports::marketplace::Marketplace as _;

use crate::harness::{Client, Database, Place, program};

const CUSTOMER: &str = "desk";
const CAPITAL: i64 = 1_000_000;
/// What is bought by who is killed or by the other one, and by the other one alone.
const ITEMS: [i64; 2] = [10, 3];
/// Longer than anything takes on a busy machine: a lease that is not renewed is taken after twenty seconds.
const PATIENCE: Duration = Duration::from_mins(2);
/// How often it is looked whether something is so.
const LOOKING: Duration = Duration::from_millis(100);
/// A purchase that has neither brought its item nor ended.
const IS_OPEN: &str = "status NOT IN (7, 8, 9, 10, 12, 14)";

/// The program, killed with the value.
pub(super) struct Running {
    process: Child,
    line: Value,
}

/// The program with these arguments in a folder, without the settings of the user that runs the tests.
pub(super) fn run(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(folder).env_clear().env("HOME", folder).env("TMPDIR", folder);
    command.stdin(Stdio::null()).kill_on_drop(true);
    command
}

impl Running {
    /// Waits until it has printed its address.
    pub(super) async fn start(mut command: Command, log: &Path) -> Self {
        command.stdout(Stdio::piped()).stderr(File::create(log).unwrap());
        let mut process = command.spawn().unwrap();
        let address = BufReader::new(process.stdout.take().unwrap()).lines().next_line().await.unwrap();
        let address =
            address.unwrap_or_else(|| panic!("it printed nothing: {}", std::fs::read_to_string(log).unwrap()));
        Self { process, line: serde_json::from_str(&address).unwrap() }
    }

    pub(super) fn url(&self) -> &str {
        self.line["baseUrl"].as_str().unwrap()
    }

    /// Asks it to stop, as an operator does.
    pub(super) async fn stop(mut self) {
        let id = self.process.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
        assert!(self.process.wait().await.unwrap().success());
    }
}

/// A world whose hours pass in seconds.
pub(super) async fn world(folder: &Path) -> Running {
    let scenario = json!([{ "call": "pay_in", "customer": CUSTOMER, "cents": CAPITAL }]);
    std::fs::write(folder.join("scenario.json"), scenario.to_string()).unwrap();
    let arguments = ["sim", "serve", "--data", "world", "--scenario", "scenario.json", "--speed", "600"];
    let command = run(folder, &[&arguments[..], &["--listen", "127.0.0.1:0"]].concat());
    Running::start(command, &folder.join("world.log")).await
}

pub(super) async fn server(folder: &Path, place: &Place, node: &str, world: &Running) -> Running {
    let mut command = run(folder, &["--listen", "127.0.0.1:0", "--database", &place.url()]);
    command
        .env("TRADEPOST_TRADING__SIMULATOR", world.url())
        .env("TRADEPOST_TRADING__NODE", node)
        .env("TRADEPOST_TRADING__ACCOUNTS", "[bot-1, bot-2]")
        .env("TRADEPOST_TRADING__INTERVAL_MILLISECONDS", "100");
    Running::start(command, &folder.join(format!("{node}.log"))).await
}

/// A caller of the servers.
#[derive(Clone)]
pub(super) struct Trader {
    pub(super) key: String,
    pub(super) workspace_id: Value,
}

impl Trader {
    /// The one that the first start has made.
    pub(super) fn of(folder: &Path, first: &Running) -> Self {
        let credentials = std::fs::read_to_string(folder.join("data/initial-credentials")).unwrap();
        let key = credentials.lines().find_map(|line| line.strip_prefix("apiKey=")).unwrap().to_owned();
        Self { key, workspace_id: first.line["workspaceId"].clone() }
    }

    /// An active contract that buys so many, two at a time, of whatever is below its value.
    pub(super) async fn buy(&self, server: &Running, quantity: i64) {
        let client = Client::of(server.url());
        let draft = json!({
            "workspaceId": self.workspace_id,
            "name": "Bargains",
            "approvalMode": "APPROVAL_MODE_AUTOMATIC",
            "marketplaces": ["simulated"],
            "buying": {
                "budgetCents": "500000", "maxBuyPriceCents": "20000", "targetQuantity": quantity, "minDiscountBps": 100,
                "maxOpenPurchases": 2,
            },
            "priceReference": { "statistic": "PRICE_STATISTIC_MEDIAN", "maxAgeSeconds": 3600, "minConfidenceBps": 5000 },
        });
        let created = client.call(Some(&self.key), "CreateContract", &draft).await.ok();
        let activate = json!({ "workspaceId": self.workspace_id, "contractId": created["contract"]["id"] });
        client.call(Some(&self.key), "ActivateContract", &activate).await.ok();
    }
}

/// The one row of what is asked, in the column `found`.
pub(super) async fn row(database: &DatabaseConnection, asked: &str) -> QueryResult {
    let select = Statement::from_string(database.get_database_backend(), format!("SELECT {asked} AS found"));
    database.query_one_raw(select).await.unwrap().unwrap()
}

pub(super) async fn until(database: &DatabaseConnection, is_so: &str) {
    let waiting = async {
        let mut looks = tokio::time::interval(LOOKING);
        while !row(database, is_so).await.try_get::<bool>("", "found").unwrap() {
            looks.tick().await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok(), "never so: {is_so}");
}

/// Which node buys.
async fn buyer(database: &DatabaseConnection) -> Option<String> {
    row(database, "(SELECT holder FROM leases WHERE work_kind = 2)").await.try_get("", "found").unwrap()
}

/// Asserts that nothing was bought twice, and that the ledger is whole and agrees with the world.
pub(super) async fn assert_books_agree(folder: &Path, place: &Place, world: &Running) {
    let database = place.connect().await;
    let twice = "(SELECT count(*) FROM (SELECT 1 FROM purchases WHERE order_id IS NOT NULL \
                 GROUP BY listing_id HAVING count(*) > 1) AS doubled)";
    assert_eq!(row(&database, twice).await.try_get::<i64>("", "found").unwrap(), 0, "listings were bought twice");
    let doctor = run(folder, &["doctor", "--database", &place.url()]).output().await.unwrap();
    assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
    let moved = "(SELECT CAST(coalesce(sum(available_cents + reserved_cents + receivable_cents), 0) AS bigint) \
                 FROM ledger_entries)";
    let moved: i64 = row(&database, moved).await.try_get("", "found").unwrap();
    let world = RemoteSimulator::connect(world.url(), RemoteSimulator::TIMEOUT).await.unwrap();
    assert_eq!(world.ask(Request::World(WorldCommand::CheckBooks)).await.unwrap(), Answer::Done);
    let balance = world.marketplace(CUSTOMER).balance().await.unwrap();
    assert_eq!(balance.get(), CAPITAL + moved, "the marketplace and the ledger differ");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_servers_that_trade_together_one_goes_on_where_the_other_was_killed_and_nothing_is_doubled() {
    let (place, folder) = (Place::new(Database::Postgres).await, tempfile::tempdir().unwrap());
    let (folder, database) = (folder.path(), place.connect().await);
    let world = world(folder).await;
    // One after the other, as the first creates the root secret and the caller.
    let first = server(folder, &place, "node-1", &world).await;
    let trader = Trader::of(folder, &first);
    let second = server(folder, &place, "node-2", &world).await;
    let mut servers = BTreeMap::from([("node-1".to_owned(), first), ("node-2".to_owned(), second)]);
    // One of them buys, and the other one decides what is put on sale.
    until(&database, "(SELECT count(DISTINCT holder) = 2 FROM leases WHERE work_kind IN (2, 3))").await;
    let mut killed = servers.remove(&buyer(&database).await.unwrap()).unwrap();
    let (heir, other) = servers.pop_first().unwrap();
    let [begun, more] = ITEMS;
    trader.buy(&killed, begun).await;
    until(&database, "(SELECT count(*) >= 2 FROM inventory_items)").await;
    killed.process.kill().await.unwrap();

    trader.buy(&other, more).await;
    let all = begun + more;
    let is_over = format!(
        "((SELECT count(*) FROM purchases WHERE status IN (7, 8)) >= {all} \
         AND NOT EXISTS (SELECT 1 FROM purchases WHERE {IS_OPEN}))"
    );
    until(&database, &is_over).await;
    assert_eq!(buyer(&database).await, Some(heir));
    other.stop().await;
    let bought: i64 = row(&database, "(SELECT count(*) FROM inventory_items)").await.try_get("", "found").unwrap();
    assert_eq!(bought, all, "not as many as are wanted");
    assert_books_agree(folder, &place, &world).await;
}
