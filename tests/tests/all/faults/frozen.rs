//! A database server that is stopped and continued half a minute later, as a virtual machine that is moved: calls end in between, and
//! nothing that was acknowledged is lost.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Interval, MissedTickBehavior};
use tradepost::auth::PasswordCost;
use tradepost::sql::DatabaseSettings;
use tradepost::{SystemClock, Tradepost};
use tradepost_domain::contracts::purchase::{Order, PurchaseEvent};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::Cents;
use tradepost_operations::contracts::{AdvancePurchase, RecordPurchase};
use tradepost_operations::{Caller, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FixedClock;
use tradepost_testkit::samples::text;

use super::cluster::Cluster;
use super::ledger::{Books, Ledger, Links};
use super::outages::append;
use super::valve::Valve;
use crate::cases::merged;
use crate::harness::{Client, Database, Key, Place, Served, Settled, Setup, Trading, World, generous, open, url_of};

/// For how long the database stalls.
const FROZEN_FOR: Duration = Duration::from_secs(30);
/// How long a call may take: to the end of its own time limit, and a busy machine's delay.
const A_CALL: Duration = Duration::from_secs(35);
const CALLERS: usize = 8;
/// How many writes are acknowledged before the standstill, and after it.
const WRITES: u64 = 100;
/// Why a write is not acknowledged whose database is stopped, or that was slower than another one.
const REFUSALS: [&str; 4] = ["STORAGE_UNAVAILABLE", "OUTCOME_UNKNOWN", "DEADLINE_EXCEEDED", "CONFLICT"];

/// Sends a signal to what works for the server's connections; whether it reached all of them.
fn signal(name: &str, processes: &[String]) -> bool {
    Command::new("kill").arg(name).args(processes).stderr(Stdio::null()).status().unwrap().success()
}

/// Stopped processes; they continue when this is dropped, also where a test fails.
pub(super) struct Stopped(Vec<String>);

impl Stopped {
    fn new(processes: Vec<String>) -> Self {
        assert!(signal("-STOP", &processes), "{processes:?}");
        Self(processes)
    }

    /// Every process of a server.
    pub(super) fn server(cluster: &Cluster) -> Self {
        let mut stopped = Self(Vec::new());
        loop {
            let running: Vec<String> = cluster.processes().into_iter().filter(|process| runs(process)).collect();
            if running.is_empty() {
                return stopped;
            }
            // One may end before the signal reaches it, and one that was not stopped yet may begin another.
            signal("-STOP", &running);
            stopped.0.extend(running);
        }
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        signal("-CONT", &self.0);
    }
}

/// Whether a process is there and not stopped.
fn runs(process: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['T', 'Z']))
}

/// The processes of the database server that work for this server.
async fn backends(world: &World) -> Vec<String> {
    let control = world.place.connect().await;
    let text = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() \
                AND backend_type = 'client backend'";
    let rows = control.query_all_raw(Statement::from_string(DbBackend::Postgres, text)).await.unwrap();
    control.close().await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<i32>(0).unwrap().to_string()).collect()
}

/// One caller for each number appends a link; the requests that were not acknowledged.
async fn wave(world: &World, numbers: std::ops::Range<usize>) -> Vec<Value> {
    let calls = numbers.map(|number| async move {
        let (request, began) = (append(world, number), Instant::now());
        let answer = world.call(Key::Trader, "AppendAssetIDLink", &request).await;
        assert!(began.elapsed() < A_CALL, "a call ends: {:?} {answer:?}", began.elapsed());
        let reason = answer.header("x-error-reason").unwrap_or_default();
        assert!(answer.status == 200 || REFUSALS.contains(&reason), "{answer:?}");
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

/// The time from one call of a caller to the next, where none takes longer.
fn pace() -> Interval {
    let mut pace = tokio::time::interval(Duration::from_millis(50));
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pace
}

/// A workspace, and who writes to it until the test is over.
struct Writers {
    app: Tradepost,
    client: Client,
    settled: Settled,
    is_over: AtomicBool,
    acknowledged: AtomicU64,
    refused: AtomicU64,
}

impl Writers {
    /// Lets all of them write.
    fn begin(self: &Arc<Self>) -> JoinSet<Ledger> {
        let mut writing = JoinSet::new();
        for caller in 0..CALLERS {
            let (appender, buyer) = (Arc::clone(self), Arc::clone(self));
            writing.spawn(async move { Ledger { links: appender.append(caller).await, ..Ledger::default() } });
            writing.spawn(async move { Ledger { purchases: buyer.buy(caller).await, ..Ledger::default() } });
        }
        writing
    }

    /// Appends links over the wire; those that were acknowledged.
    async fn append(&self, caller: usize) -> Links {
        let (mut links, mut number) = (Links::new(), 700_000_000 + 1_000_000 * caller);
        let item = self.settled.items[caller % self.settled.items.len()];
        let mut pace = pace();
        while !self.is_over.load(Ordering::SeqCst) {
            pace.tick().await;
            number += 1;
            let asset_id = number.to_string();
            let request = json!({
                "workspaceId": self.settled.workspace_id.to_string(),
                "inventoryItemId": item.to_string(),
                "assetId": asset_id,
                "source": "inventory",
                "sourceId": format!("snapshot-{asset_id}"),
            });
            let answer = self.client.call(Some(&self.settled.token), "AppendAssetIDLink", &request).await;
            if answer.status == 200 {
                links.insert((item, answer.json()["assetIdLink"]["step"].as_u64().unwrap()), asset_id);
                self.acknowledged.fetch_add(1, Ordering::SeqCst);
            } else {
                self.note_refusal(answer.header("x-error-reason").unwrap_or_default());
            }
        }
        links
    }

    /// Buys as an engine does; the last step of each purchase that was acknowledged.
    async fn buy(&self, caller: usize) -> BTreeMap<PurchaseId, i64> {
        let (operations, workspace_id) = (self.app.operations(), self.settled.workspace_id);
        let trading = Trading { operations, clock: &FixedClock::at(SystemClock.now()), workspace_id };
        let (mut purchases, mut number) = (BTreeMap::new(), u32::try_from(1_000_000 * (caller + 1)).unwrap());
        let mut pace = pace();
        while !self.is_over.load(Ordering::SeqCst) {
            pace.tick().await;
            number += 1;
            let listing = trading.listing(self.settled.contract_id, number);
            if let Err(error) = self.buy_listing(listing, &mut purchases).await {
                self.note_refusal(error.reason.as_str());
            }
        }
        purchases
    }

    async fn buy_listing(&self, listing: RecordPurchase, purchases: &mut BTreeMap<PurchaseId, i64>) -> OpResult<()> {
        let (operations, workspace_id) = (self.app.operations(), self.settled.workspace_id);
        let listing_price = Cents::new(listing.listing_price_cents).unwrap();
        let order = Order { id: text(&listing.listing_id), executed_price: listing_price, fee: Cents::ZERO };
        let recorded = operations.record_purchase(&Caller::system(), listing).await?;
        let purchase_id = recorded.value.terms.id;
        let mut note = |version| {
            purchases.insert(purchase_id, version);
            self.acknowledged.fetch_add(1, Ordering::SeqCst);
        };
        note(recorded.version);
        for event in [PurchaseEvent::Submitted { listing_price }, PurchaseEvent::Accepted(order)] {
            let command = AdvancePurchase { workspace_id, purchase_id, event, expected_version: None };
            note(operations.advance_purchase(&Caller::system(), command).await?.version);
        }
        Ok(())
    }

    fn note_refusal(&self, reason: &str) {
        assert!(REFUSALS.contains(&reason), "{reason}");
        self.refused.fetch_add(u64::from(reason != "CONFLICT"), Ordering::SeqCst);
    }

    /// Waits until so many more writes are acknowledged.
    async fn until_acknowledged(&self, more: u64) {
        let wanted = self.acknowledged.load(Ordering::SeqCst) + more;
        self.until(async || self.acknowledged.load(Ordering::SeqCst) >= wanted).await;
    }

    async fn until_ready(&self) {
        self.until(async || self.client.get("/readyz").await.status == 200).await;
    }

    async fn until(&self, is_so: impl AsyncFn() -> bool) {
        let looking = async {
            let mut pace = pace();
            while !is_so().await {
                pace.tick().await;
            }
        };
        let (acknowledged, refused) = (&self.acknowledged, &self.refused);
        let found = tokio::time::timeout(A_CALL, looking).await;
        found.unwrap_or_else(|_| panic!("never so: {acknowledged:?} acknowledged, {refused:?} refused"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_whole_database_server_is_stopped_the_program_is_not_ready_and_no_step_of_a_purchase_is_lost() {
    let (mut cluster, folder) = (Cluster::new().await, tempfile::tempdir().unwrap());
    let mut command = cluster.command();
    assert!(cluster.start(&mut command).await, "{}", cluster.log());
    let (place, root_secret) = (Place::At { url: cluster.url() }, folder.path().join("root-secret"));
    let settled = Settled::at(&place, &root_secret).await;
    let builder = Tradepost::builder().database_url(&place.url()).root_secret_file(&root_secret).quotas(generous());
    let app = builder.password_cost(PasswordCost::INSECURE).build().await.unwrap();
    let served = Served::by(&app).await;
    let (is_over, acknowledged, refused) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let client = served.client.clone();
    let writers = Arc::new(Writers { app: app.clone(), client, settled, is_over, acknowledged, refused });
    let writing = writers.begin();
    writers.until_acknowledged(WRITES).await;
    let (stopped, began, refused) = (Stopped::server(&cluster), Instant::now(), writers.refused.load(Ordering::SeqCst));
    let mut pace = pace();
    while began.elapsed() < FROZEN_FOR {
        pace.tick().await;
        let asked = Instant::now();
        let answer = writers.client.get("/readyz").await;
        assert_eq!(answer.status, 503, "{answer:?}");
        assert!(asked.elapsed() < FROZEN_FOR, "it says so while it is so: {:?}", asked.elapsed());
    }
    assert_eq!(writers.client.get("/livez").await.status, 200);
    assert!(writers.refused.load(Ordering::SeqCst) > refused, "calls end during the standstill");
    drop(stopped);
    writers.until_ready().await;
    writers.until_acknowledged(WRITES).await;
    writers.is_over.store(true, Ordering::SeqCst);
    let mut ledger = Ledger::default();
    for written in writing.join_all().await {
        ledger.links.extend(written.links);
        ledger.purchases.extend(written.purchases);
    }
    assert!(!ledger.links.is_empty() && !ledger.purchases.is_empty(), "{ledger:?}");
    served.stop.send(()).unwrap();
    served.ended.await.unwrap();
    app.shutdown().await.unwrap();
    let app = open(&place, &root_secret).await;
    let Settled { workspace_id, contract_id, ref items, .. } = writers.settled;
    Books { place: &place, app: &app, workspace_id, contract_id, items }.audit(&ledger).await;
    app.shutdown().await.unwrap();
    cluster.stop().await;
}
