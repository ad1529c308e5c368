//! A demo whose folder is kept, killed in the middle of everything and started again: one database, one market, equal books.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};
use tradepost::SystemClock;
use tradepost::domain::money::VenueCents;
use tradepost::ports::clock::Clock as _;
use tradepost_adapters_simulator::{Beginning, Settings, WorldFolder};

use crate::command::{Place, Server};
use crate::filled_demo;

const KILLS: i64 = 6;
/// So fast that what was bought settles within half a minute.
const SPEED: &str = "18000";
/// What the demo pays in at its marketplace.
const CAPITAL: i64 = 1_000_000;
/// The statuses of a purchase of which it is not known yet what it costs.
const UNSETTLED: [&str; 3] = ["PURCHASE_STATUS_PENDING", "PURCHASE_STATUS_SUBMITTED", "PURCHASE_STATUS_UNCERTAIN"];
/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

fn start(place: &Place) -> Server {
    place.serve(&["demo", "--speed", SPEED, "--keep", "kept"])
}

async fn ask(server: &Server, operation: &str, more: Value) -> Value {
    let mut request = more;
    request["workspaceId"] = server.line["workspaceId"].clone();
    let (status, answer) = server.call(server.printed("apiKey"), operation, request).await;
    assert_eq!(status, 200, "{operation}: {answer}");
    answer
}

/// The ids that a list gives, of all pages.
async fn listed(server: &Server, operation: &str, ids: &str, filter: Value) -> Vec<Value> {
    let (mut all, mut request) = (Vec::new(), filter);
    request["limit"] = json!(200);
    loop {
        let page = ask(server, operation, request.clone()).await;
        all.extend(page[ids].as_array().cloned().unwrap_or_default());
        if page["nextCursor"] == "" {
            return all;
        }
        request["cursor"] = page["nextCursor"].clone();
    }
}

/// The contracts that trade on the simulated market.
async fn live_contracts(server: &Server) -> Vec<Value> {
    let ids = listed(server, "contracts.v1.Contracts/ListContracts", "contractIds", json!({})).await;
    let found = ask(server, "contracts.v1.Contracts/GetContracts", json!({ "contractIds": ids })).await;
    let contracts = found["contracts"].as_array().unwrap().iter();
    let is_live = |contract: &&Value| contract["name"].as_str().unwrap().starts_with("Live: ");
    contracts.filter(is_live).map(|contract| contract["id"].clone()).collect()
}

/// Counts the purchases of these contracts in each status.
async fn purchases(server: &Server, contracts: &[Value]) -> Vec<(String, i64)> {
    let mut all = Vec::new();
    for contract in contracts {
        let counted = ask(server, "contracts.v1.Contracts/CountPurchases", json!({ "contractId": contract })).await;
        let counts = counted["counts"].as_array().cloned().unwrap_or_default();
        let counts = counts.into_iter();
        all.extend(counts.map(|one| (one["status"].as_str().unwrap().to_owned(), one["count"].as_i64().unwrap())));
    }
    all
}

async fn bought(server: &Server, contracts: &[Value]) -> i64 {
    purchases(server, contracts).await.iter().map(|(_, count)| count).sum()
}

/// Waits until so many more purchases were made.
async fn until_bought(server: &Server, contracts: &[Value], more: i64) {
    let before = bought(server, contracts).await;
    let grown = async { while bought(server, contracts).await < before + more {} };
    tokio::time::timeout(PATIENCE, grown).await.unwrap();
}

async fn halt(server: &Server) {
    let halt = json!({ "halted": true, "reason": "a test" });
    ask(server, "accounts.v1.Accounts/SetTradingHalt", halt).await;
}

/// Waits until it is known of every purchase what it costs.
async fn until_settled(server: &Server, contracts: &[Value]) {
    let has_open = |counts: Vec<(String, i64)>| {
        counts.iter().any(|(status, count)| *count > 0 && UNSETTLED.contains(&status.as_str()))
    };
    let settled = async { while has_open(purchases(server, contracts).await) {} };
    tokio::time::timeout(PATIENCE, settled).await.unwrap();
}

async fn assert_chains_verify(server: &Server, contracts: &[Value]) {
    let mut items = Vec::new();
    for contract in contracts {
        let of_contract = json!({ "contractId": contract });
        items
            .extend(listed(server, "contracts.v1.Contracts/ListInventoryItems", "inventoryItemIds", of_contract).await);
    }
    assert!(!items.is_empty());
    for item in items {
        let verified =
            ask(server, "contracts.v1.Contracts/VerifyAssetIDChain", json!({ "inventoryItemId": item })).await;
        assert_eq!(verified["valid"], true, "{verified}");
    }
}

/// A number that the database gives.
fn number(database: &Connection, sql: &str) -> i64 {
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

const LIVE: &str = "SELECT id FROM contracts WHERE name LIKE 'Live: %'";

/// Compares the ledger of an ended demo with its market.
fn assert_books_equal(folder: &Path) {
    let database = Connection::open(folder.join("tradepost.db")).unwrap();
    let doubled = number(
        &database,
        &format!(
            "SELECT count(*) FROM (SELECT 1 FROM purchases WHERE order_id IS NOT NULL AND contract_id IN ({LIVE}) \
             GROUP BY listing_id HAVING count(*) > 1)"
        ),
    );
    assert_eq!(doubled, 0, "listings were bought twice");
    let accounts = "available_cents + reserved_cents + paid_in_transit_cents + refund_due_cents \
        + inventory_at_cost_cents + delivered_at_cost_cents + receivable_cents + fees_cents + realised_pnl_cents \
        + write_offs_cents + capital_cents";
    assert_eq!(number(&database, &format!("SELECT sum({accounts}) FROM ledger_entries")), 0);
    let moved = number(
        &database,
        &format!(
            "SELECT sum(available_cents + reserved_cents + receivable_cents) FROM ledger_entries \
             WHERE contract_id IN ({LIVE})"
        ),
    );
    let world = WorldFolder::open(&folder.join("world"), &beginning()).unwrap();
    assert!(!world.is_new());
    world.world().check_books().unwrap();
    assert_eq!(
        world.world().balance_of("desk"),
        VenueCents::new(CAPITAL + moved).unwrap(),
        "our books and the market's"
    );
}

/// Never lived: the world is there.
fn beginning() -> Beginning {
    Beginning { seed: 0, settings: Settings::default(), deeds: Vec::new() }
}

#[tokio::test]
async fn a_demo_that_is_killed_while_it_trades_goes_on_and_its_books_are_equal() {
    let place = Place::new();
    let (mut known, mut seen) = (None, 0);
    for kill in 0..KILLS {
        let server = start(&place);
        let contracts = live_contracts(&server).await;
        let bought = bought(&server, &contracts).await;
        assert!(bought >= seen, "{bought} purchases after {seen}");
        let ids = ["apiKey", "workspaceId", "inventoryItemId"].map(|field| server.printed(field).to_owned());
        assert_eq!(known.get_or_insert((ids.clone(), contracts.clone())), &(ids, contracts.clone()));
        // A later moment in each round, so that the kills fall into different places.
        until_bought(&server, &contracts, 1 + kill).await;
        seen = bought + 1 + kill;
        // Dropping it sends SIGKILL.
        drop(server);
    }
    let mut server = start(&place);
    let contracts = live_contracts(&server).await;
    assert!(bought(&server, &contracts).await >= seen);
    halt(&server).await;
    until_settled(&server, &contracts).await;
    assert_chains_verify(&server, &contracts).await;
    server.terminate();
    assert!(server.wait().success(), "{}", server.log());
    assert_books_equal(&place.path("kept"));
}

#[tokio::test]
async fn a_halt_stops_purchases_while_the_demo_goes_on() {
    let place = Place::new();
    let server = place.serve(&["demo", "--speed", SPEED]);
    let contracts = live_contracts(&server).await;
    until_bought(&server, &contracts, 3).await;
    halt(&server).await;
    let at_halt = bought(&server, &contracts).await;
    // What goes on: items arrive and move, so that passes are taken.
    let changes = async || {
        let now = ask(&server, "contracts.v1.Contracts/WatchTransitions", json!({ "fromEnd": true })).await;
        now["lastTransitionId"].clone()
    };
    for _ in 0..3 {
        let before = changes().await;
        let moved = async { while changes().await == before {} };
        tokio::time::timeout(PATIENCE, moved).await.expect("items move on");
    }
    assert_eq!(bought(&server, &contracts).await, at_halt);
}

#[tokio::test]
async fn what_a_person_does_with_a_contract_happens_in_the_time_of_the_live_market() {
    let place = Place::new();
    let server = place.serve(&["demo", "--speed", SPEED]);
    let contracts = live_contracts(&server).await;
    until_bought(&server, &contracts, 3).await;
    // All purchases of the live contracts are later than those of the stories.
    let bought = listed(&server, "contracts.v1.Contracts/ListPurchases", "purchaseIds", json!({})).await;
    let newest = ask(&server, "contracts.v1.Contracts/GetPurchase", json!({ "purchaseId": bought[0] })).await;
    let of_live = json!({ "contractId": contracts[0] });
    let paused = ask(&server, "contracts.v1.Contracts/PauseContract", of_live).await;
    let times = [&newest["purchase"]["createdAt"], &paused["contract"]["updatedAt"]].map(|at| at.as_str().unwrap());
    assert!(times[0] <= times[1], "{times:?}");
}

#[tokio::test]
async fn a_still_demo_shows_the_records_of_a_market_that_ran_ahead_as_past() {
    let place = Place::new();
    let mut trading = start(&place);
    let contracts = live_contracts(&trading).await;
    until_bought(&trading, &contracts, 3).await;
    trading.terminate();
    assert!(trading.wait().success(), "{}", trading.log());
    let still = place.serve(&["demo", "--still", "--keep", "kept"]);
    let workspace = ask(&still, "accounts.v1.Accounts/GetWorkspace", json!({})).await;
    let newest = ask(&still, "contracts.v1.Contracts/ListTransitions", json!({ "limit": 1 })).await;
    let newest = json!({ "transitionIds": newest["transitionIds"] });
    let newest = ask(&still, "contracts.v1.Contracts/GetTransitions", newest).await;
    // To the second: a fraction of a second has no fixed length.
    let second = |at: &Value| at.as_str().unwrap()[..19].to_owned();
    let now = second(&workspace["simulatedClock"]["now"]);
    let latest = second(&newest["transitions"][0]["createdAt"]);
    assert!(latest <= now, "{latest} is after {now}");
    assert!(latest > SystemClock.now().to_string(), "the market has not run ahead: {latest}");
}

#[test]
fn a_demo_that_was_killed_while_it_was_filled_is_filled_again() {
    let place = Place::new();
    let filling = place.spawn(&mut place.command(&["demo", "--still", "--keep", "kept", "--listen", "127.0.0.1:0"]));
    filling.until_logged("brought the schema up to date");
    drop(filling);
    assert!(place.path("kept/demo.json.new").exists());
    let server = place.serve(&["demo", "--still", "--keep", "kept"]);
    let fresh = Place::new();
    assert_eq!(server.printed("purchaseId"), fresh.serve(&["demo", "--still"]).printed("purchaseId"));
    assert!(place.path("kept/demo.json").exists() && !place.path("kept/demo.json.new").exists());
}

#[test]
fn a_demo_that_is_kept_has_one_process_and_one_seed() {
    let place = Place::new();
    let server = filled_demo::serve(&place);
    let kept = place.path("kept");
    let second = place.run(&["demo", "--keep", "kept", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, Some(69), "{}", second.stderr);
    assert!(
        second.stderr.contains(&format!("error: the demo in {} is served already", kept.display())),
        "{}",
        second.stderr
    );
    drop(server);
    let other = place.run(&["demo", "--keep", "kept", "--seed", "7", "--listen", "127.0.0.1:0"]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(
        other.stderr.contains(&format!("error: the demo in {} has the seed 42", kept.display())),
        "{}",
        other.stderr
    );
}
