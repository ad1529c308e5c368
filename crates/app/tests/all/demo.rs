//! `demo`: what its line promises holds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tradepost::SystemClock;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::command::{Place, Server};
use crate::filled_demo;

const FIELDS: [&str; 15] = [
    "apiKey",
    "baseUrl",
    "contractId",
    "email",
    "inventoryItemId",
    "invitedMembershipId",
    "linkedOnlyApiKey",
    "mailDir",
    "otherApiKey",
    "otherWorkspaceId",
    "password",
    "purchaseId",
    "readOnlyApiKey",
    "totpSecret",
    "workspaceId",
];

struct Demo {
    _place: Place,
    server: Server,
}

impl Demo {
    fn start() -> Self {
        let place = Place::new();
        let server = filled_demo::serve(&place);
        Self { _place: place, server }
    }

    /// An answer of the first key, which may do everything.
    async fn ask(&self, operation: &str, request: Value) -> Value {
        let (status, answer) = self.server.call(self.server.printed("apiKey"), operation, request).await;
        assert_eq!(status, 200, "{operation}: {answer}");
        answer
    }

    fn here(&self) -> Value {
        json!({ "workspaceId": self.server.printed("workspaceId") })
    }

    /// What a filter set says of those purchases that it leaves out.
    async fn left_out_by(&self, filter_set: &Value, purchases: &Value) -> Vec<Value> {
        let workspace = self.server.printed("workspaceId");
        let request = json!({ "workspaceId": workspace, "filterSetId": filter_set });
        let rules = self.ask("contracts.v1.Contracts/GetFilterSet", request).await["filterSet"]["rules"].clone();
        let listing = |bought: &Value| {
            let (name, price) = (&bought["marketHashName"], &bought["listingPriceCents"]);
            json!({ "id": name, "marketHashName": name, "priceCents": price })
        };
        let sample: Vec<Value> = purchases["purchases"].as_array().unwrap().iter().map(listing).collect();
        let request = json!({ "workspaceId": workspace, "rules": rules, "sample": sample });
        let said = self.ask("contracts.v1.Contracts/TestFilterSet", request).await["matches"].clone();
        said.as_array().unwrap().iter().filter(|one| one["matched"] != true).cloned().collect()
    }

    /// The names of a workspace's counts that are not zero.
    async fn statuses(&self, operation: &str) -> BTreeSet<String> {
        let counts = self.ask(operation, self.here()).await;
        let counts = counts["counts"].as_array().unwrap().iter().filter(|entry| entry["count"] != 0);
        counts.map(|entry| entry["status"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn the_line_has_exactly_what_a_script_needs() {
    let demo = Demo::start();
    let fields: Vec<&str> = demo.server.line.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, FIELDS);
    assert!(
        demo.server.line.as_object().unwrap().values().all(|value| value.as_str().is_some_and(|text| !text.is_empty()))
    );
}

#[tokio::test]
async fn the_demo_is_reached_by_the_name_for_which_its_passkeys_work() {
    let demo = Demo::start();
    assert!(demo.server.url().starts_with("http://localhost:"), "{}", demo.server.url());
    let (_, options) = demo.server.call("", "accounts.v1.Accounts/BeginPasskeySignIn", json!({})).await;
    assert!(options.to_string().contains("localhost"), "{options}");
}

#[tokio::test]
async fn purchases_and_items_stand_in_every_status() {
    let demo = Demo::start();
    assert_eq!(demo.statuses("contracts.v1.Contracts/CountPurchases").await.len(), 14);
    assert_eq!(demo.statuses("contracts.v1.Contracts/CountInventoryItems").await.len(), 11);
}

#[tokio::test]
async fn what_is_undecided_is_a_problem_from_the_beginning() {
    let demo = Demo::start();
    for (workspace, key) in [("workspaceId", "apiKey"), ("otherWorkspaceId", "otherApiKey")] {
        let (workspace, key) = (demo.server.printed(workspace), demo.server.printed(key));
        let request = json!({ "workspaceId": workspace, "limit": 200, "kind": "REMEDIATION_KIND_OUTCOME_UNKNOWN" });
        let (status, listed) = demo.server.call(key, "contracts.v1.Contracts/ListRemediations", request).await;
        assert_eq!(status, 200, "{listed}");
        let request = json!({ "workspaceId": workspace, "limit": 200, "status": "PURCHASE_STATUS_UNCERTAIN" });
        let (status, undecided) = demo.server.call(key, "contracts.v1.Contracts/ListPurchases", request).await;
        assert_eq!(status, 200, "{undecided}");
        let number = |ids: &Value| ids.as_array().map_or(0, Vec::len);
        assert!(number(&undecided["purchaseIds"]) > 0, "{undecided}");
        assert_eq!(number(&listed["remediationIds"]), number(&undecided["purchaseIds"]), "{listed}");
    }
}

#[tokio::test]
async fn chains_have_two_to_five_links() {
    let demo = Demo::start();
    let mut lengths = BTreeSet::new();
    let request = json!({ "workspaceId": demo.server.printed("workspaceId"), "limit": 200 });
    let items = demo.ask("contracts.v1.Contracts/ListInventoryItems", request).await;
    for id in items["inventoryItemIds"].as_array().unwrap() {
        let request = json!({ "workspaceId": demo.server.printed("workspaceId"), "inventoryItemId": id });
        let links = demo.ask("contracts.v1.Contracts/ListAssetIDLinks", request).await;
        lengths.insert(links["assetIdLinks"].as_array().unwrap().len());
    }
    assert_eq!(lengths, BTreeSet::from([2, 3, 4, 5]));
}

#[tokio::test]
async fn the_records_that_the_line_names_belong_together() {
    let demo = Demo::start();
    let line = &demo.server.line;
    let request = json!({ "workspaceId": line["workspaceId"], "inventoryItemId": line["inventoryItemId"] });
    let item = demo.ask("contracts.v1.Contracts/GetInventoryItem", request).await;
    assert_eq!(item["inventoryItem"]["purchaseId"], line["purchaseId"]);
    assert_eq!(item["inventoryItem"]["contractId"], line["contractId"]);
}

#[tokio::test]
async fn the_read_only_key_reads_and_writes_nothing() {
    let demo = Demo::start();
    let key = demo.server.printed("readOnlyApiKey");
    assert_eq!(demo.server.call(key, "contracts.v1.Contracts/CountPurchases", demo.here()).await.0, 200);
    let draft =
        json!({ "workspaceId": demo.server.printed("workspaceId"), "contractId": demo.server.printed("contractId") });
    assert_eq!(demo.server.call(key, "contracts.v1.Contracts/ActivateContract", draft).await.0, 403);
}

#[tokio::test]
async fn the_invitation_waits_for_the_first_user() {
    let demo = Demo::start();
    let request = json!({ "membershipId": demo.server.printed("invitedMembershipId") });
    demo.ask("accounts.v1.Accounts/AcceptMembership", request).await;
}

#[tokio::test]
async fn the_authenticators_secret_opens_a_step_up() {
    let demo = Demo::start();
    let begun = demo.ask("accounts.v1.Accounts/BeginStepUp", json!({})).await;
    let code = Rfc6238::code(demo.server.printed("totpSecret"), SystemClock.now()).unwrap();
    let complete = json!({
        "challengeId": begun["challengeId"],
        "method": "TWO_FACTOR_METHOD_TOTP",
        "code": code.expose_secret(),
    });
    demo.ask("accounts.v1.Accounts/CompleteStepUp", complete).await;
    let create = json!({ "name": "Made after the check", "policies": ["analytics"] });
    demo.ask("accounts.v1.Accounts/CreateAPIKey", create).await;
}

#[tokio::test]
async fn the_other_user_gets_codes_by_mail() {
    let demo = Demo::start();
    let key = demo.server.printed("otherApiKey");
    let (status, begun) = demo.server.call(key, "accounts.v1.Accounts/BeginStepUp", json!({})).await;
    assert_eq!(status, 200, "{begun}");
    let code = mailed_code(Path::new(demo.server.printed("mailDir")), "other@example.com");
    let complete = json!({ "challengeId": begun["challengeId"], "method": "TWO_FACTOR_METHOD_EMAIL", "code": code });
    let (status, answer) = demo.server.call(key, "accounts.v1.Accounts/CompleteStepUp", complete).await;
    assert_eq!(status, 200, "{answer}");
}

#[test]
fn a_seed_makes_the_same_records_again() {
    let ids = |seed: &str| {
        let place = Place::new();
        let server = place.serve(&["demo", "--seed", seed]);
        ["workspaceId", "contractId", "purchaseId", "inventoryItemId"].map(|field| server.printed(field).to_owned())
    };
    let first = ids("7");
    assert_eq!(first, ids("7"));
    assert_ne!(first, ids("8"));
}

#[tokio::test]
async fn contracts_trade_by_themselves_unless_the_demo_is_to_be_still() {
    let place = Place::new();
    let server = place.serve(&["demo"]);
    let (key, here) = (server.printed("apiKey"), json!({ "workspaceId": server.printed("workspaceId") }));
    let items = async || {
        let (status, counts) = server.call(key, "contracts.v1.Contracts/CountInventoryItems", here.clone()).await;
        assert_eq!(status, 200, "{counts}");
        let of = |count: &Value| count["count"].as_i64().unwrap_or(0);
        counts["counts"].as_array().unwrap().iter().map(of).sum::<i64>()
    };
    let first = items().await;
    let grown = async { while items().await < first + 3 {} };
    tokio::time::timeout(Duration::from_mins(1), grown).await.expect("items arrive within a minute");
    // The marketplaces and accounts on record are reported.
    let ask = async |operation: &str, more: Value| {
        let mut request = more;
        request["workspaceId"] = here["workspaceId"].clone();
        let (status, answer) = server.call(key, operation, request).await;
        assert_eq!(status, 200, "{operation}: {answer}");
        answer
    };
    for status in ["PENDING", "SUBMITTED", "UNCERTAIN", "PAID", "OFFERED", "TRADE_HELD", "REFUND_PENDING", "REVERTED"] {
        let status = format!("PURCHASE_STATUS_{status}");
        let ids = ask("contracts.v1.Contracts/ListPurchases", json!({ "status": status })).await["purchaseIds"].clone();
        if ids.as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let found = ask("contracts.v1.Contracts/GetPurchases", json!({ "purchaseIds": ids })).await;
        let mut waiting = found["purchases"].as_array().unwrap().iter();
        assert!(waiting.all(|one| one["marketplace"] == "simulated"), "nobody brings it on: {found}");
    }
    let ids = ask("markets.v1.Markets/ListProviders", json!({})).await["providerIds"].clone();
    let providers = ask("markets.v1.Markets/GetProviders", json!({ "providerIds": ids })).await["providers"].clone();
    let market = providers.as_array().unwrap().iter().find(|one| one["name"] == "simulated").unwrap();
    assert!(market.get("feeSchedule").is_some() && market.get("balanceCents").is_some(), "{market}");
    let ready = ask("trading.v1.Trading/ListAccounts", json!({ "status": "ACCOUNT_STATUS_READY" })).await;
    assert_eq!(ready["accountIds"].as_array().unwrap().len(), 5, "{ready}");
}

#[test]
fn a_passing_demo_leaves_nothing_behind() {
    let place = Place::new();
    let mut server = place.serve(&["demo"]);
    let mails = server.printed("mailDir").to_owned();
    server.terminate();
    assert!(server.wait().success());
    assert!(!Path::new(&mails).exists());
}

/// What demos have left of their temporary folders.
fn leftovers(place: &Place) -> Vec<String> {
    let entries = std::fs::read_dir(place.path(".")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("tradepost-demo-")).collect()
}

#[test]
fn a_demo_that_is_reported_to_stop_while_it_fills_leaves_nothing_behind() {
    let place = Place::new();
    let mut demo = place.spawn(&mut place.command(&["demo", "--listen", "127.0.0.1:0"]));
    demo.until_logged("brought the schema up to date");
    assert_eq!(leftovers(&place).len(), 1);
    demo.terminate();
    assert!(demo.wait().success(), "{}", demo.log());
    assert_eq!(leftovers(&place).len(), 0);
    assert!(!demo.log().contains("listening"), "{}", demo.log());
}

#[test]
fn a_demo_that_is_signalled_twice_leaves_nothing_behind() {
    let place = Place::new();
    let mut server = place.serve(&["demo"]);
    let _unfinished = server.begin_call(server.printed("apiKey"), "accounts.v1.Accounts/CountAPIKeys");
    server.terminate();
    server.until_logged("stopping after open calls");
    server.terminate();
    assert_eq!(server.wait().code(), Some(143), "{}", server.log());
    assert_eq!(leftovers(&place).len(), 0);
}

#[tokio::test]
async fn a_contract_buys_what_its_name_says() {
    let demo = Demo::start();
    let workspace = demo.server.printed("workspaceId");
    let contracts = demo.ask("contracts.v1.Contracts/ListContracts", demo.here()).await;
    let mut bought = BTreeMap::new();
    for id in contracts["contractIds"].as_array().unwrap() {
        let request = json!({ "workspaceId": workspace, "contractId": id });
        let contract = demo.ask("contracts.v1.Contracts/GetContract", request.clone()).await;
        let listed = demo.ask("contracts.v1.Contracts/ListPurchases", request).await;
        let several = json!({ "workspaceId": workspace, "purchaseIds": listed["purchaseIds"] });
        if listed["purchaseIds"].as_array().is_some_and(|ids| !ids.is_empty()) {
            let purchases = demo.ask("contracts.v1.Contracts/GetPurchases", several).await;
            let unwanted = demo.left_out_by(&contract["contract"]["filterSetId"], &purchases).await;
            assert_eq!(unwanted, Vec::<Value>::new(), "{contract}");
            bought.insert(contract["contract"]["name"].as_str().unwrap().to_owned(), names(&purchases));
        }
    }
    assert_eq!(bought.len(), 7, "{bought:?}");
    for (contract, part) in [
        ("AWP field-tested", "AWP |"),
        ("AWP field-tested", "(Field-Tested)"),
        ("StatTrak™ only", "StatTrak™"),
        ("Factory new", "(Factory New)"),
    ] {
        assert!(bought[contract].iter().all(|name| name.contains(part)), "{contract}: {bought:?}");
    }
}

/// The names of the items that were bought.
fn names(purchases: &Value) -> Vec<String> {
    let purchases = purchases["purchases"].as_array().unwrap().iter();
    purchases.map(|purchase| purchase["marketHashName"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_user_with_a_linked_identity_only_gets_an_address_and_a_password() {
    let demo = Demo::start();
    let request = json!({
        "email": "chat.user@example.com",
        "password": "seventeen violets under the orchard",
        "botCheckToken": "development",
    });
    let (status, answer) = demo
        .server
        .call(demo.server.printed("linkedOnlyApiKey"), "accounts.v1.Accounts/AddEmailCredential", request)
        .await;
    assert_eq!(status, 200, "{answer}");
    let folder = Path::new(demo.server.printed("mailDir"));
    mailed(folder, "chat.user@example.com", |text| text.contains("/email/verify#").then(String::new));
}

#[test]
fn a_demo_mixes_with_no_other_files() {
    let place = Place::new();
    std::fs::write(place.path("precious"), "mine").unwrap();
    let ended = place.run(&["demo", "--keep", ".", "--listen", "127.0.0.1:0"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let ended = place.run(&["demo", "--database", "sqlite://data/tradepost.db"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
}

/// What is found in the latest mail to an address that has it, once that mail is there.
pub(crate) fn mailed(folder: &Path, to: &str, wanted: impl Fn(&str) -> Option<String>) -> String {
    let began = Instant::now();
    loop {
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        let mails = files.iter().map(|path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap());
        let mut mails = mails.rev().filter(|mail| mail["to"] == to);
        if let Some(found) = mails.find_map(|mail| wanted(mail["text"].as_str().unwrap())) {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "no such mail to {to}");
        std::thread::yield_now();
    }
}

/// The one number of 6 to 8 digits in the latest mail to an address that has one.
pub(crate) fn mailed_code(folder: &Path, to: &str) -> String {
    mailed(folder, to, |text| {
        let numbers =
            text.split(|character: char| !character.is_ascii_digit()).filter(|digits| (6..=8).contains(&digits.len()));
        let [code] = numbers.collect::<Vec<_>>().try_into().ok()?;
        Some(str::to_owned(code))
    })
}
