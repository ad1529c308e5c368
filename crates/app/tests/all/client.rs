//! The commands that work through a running server, each against a real one: as a table, as JSON exactly as the interface gives it,
//! and as CSV.

use serde_json::{Value, json};
use tradepost::SystemClock;
use tradepost::ports::clock::Clock as _;

use crate::command::{Ended, Place, Server};
use crate::filled_demo;

/// A server with sample data.
pub(crate) struct Demo {
    pub(crate) place: Place,
    pub(crate) server: Server,
}

impl Demo {
    pub(crate) fn start() -> Self {
        let place = Place::new();
        let server = filled_demo::serve(&place);
        Self { place, server }
    }

    /// Runs a command with the first key, which determines the workspace as well.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.run_as("apiKey", arguments)
    }

    pub(crate) fn run_as(&self, key: &str, arguments: &[&str]) -> Ended {
        let mut command = self.place.command(arguments);
        command.env("TRADEPOST_URL", self.server.url()).env("TRADEPOST_API_KEY", self.server.printed(key));
        command.output().unwrap().into()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        self.run(&[arguments, &["-o", "json"]].concat()).expect_success().json()
    }

    pub(crate) fn table(&self, arguments: &[&str]) -> String {
        self.run(arguments).expect_success().stdout
    }

    pub(crate) async fn ask(&self, operation: &str, more: Value) -> Value {
        let mut request = more;
        request["workspaceId"] = self.server.line["workspaceId"].clone();
        let (status, answer) = self.server.call(self.server.printed("apiKey"), operation, request).await;
        assert_eq!(status, 200, "{operation}: {answer}");
        answer
    }

    /// Two intents that wait for a person.
    pub(crate) async fn proposals(&self) -> [String; 2] {
        let draft = json!({
            "name": "By hand",
            "approvalMode": "APPROVAL_MODE_MANUAL",
            "marketplaces": ["simulator"],
            "buying": { "budgetCents": "270000", "maxBuyPriceCents": "90000", "targetQuantity": 3 },
        });
        let contract = self.ask("contracts.v1.Contracts/CreateContract", draft).await["contract"]["id"].clone();
        self.ask("contracts.v1.Contracts/ActivateContract", json!({ "contractId": contract })).await;
        let mut ids = Vec::new();
        for number in [1, 2] {
            let listing = json!({
                "marketplace": "simulator",
                "listingId": format!("by-hand-{number}"),
                "listingAssetId": format!("900{number}"),
                "marketHashName": "AK-47 | Redline (Field-Tested)",
                "priceCents": "1200",
                "platformFeeCents": "30",
            });
            let intent = json!({ "contractId": contract, "kind": "INTENT_KIND_BUY", "listing": listing });
            let made = self.ask("contracts.v1.Contracts/CreateIntent", intent).await;
            ids.push(made["intent"]["id"].as_str().unwrap().to_owned());
        }
        ids.try_into().unwrap()
    }
}

/// An id as users read it.
pub(crate) fn uuid(id: &str) -> String {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(id).unwrap();
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// The rows of CSV, with their headings.
fn csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    (lines.next().unwrap(), lines.collect())
}

#[tokio::test]
async fn contracts_are_listed_shown_and_moved() {
    let demo = Demo::start();
    let listed = demo.json(&["contracts", "list"]);
    let ids: Vec<&Value> = listed["contracts"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    let exactly = demo.ask("contracts.v1.Contracts/GetContracts", json!({ "contractIds": ids })).await;
    assert_eq!(listed, exactly);
    let drafts = demo.json(&["contracts", "list", "--status", "draft", "--type", "buying"]);
    let [draft] = drafts["contracts"].as_array().unwrap().as_slice() else { panic!("{drafts}") };
    let id = draft["id"].as_str().unwrap();

    let table = demo.table(&["contracts", "activate", id]);
    assert!(table.starts_with("NAME") && table.contains(" buying ") && table.contains(" active "), "{table}");
    let paused = demo.json(&["contracts", "pause", id, "--reason", "too expensive"]);
    assert_eq!(paused["contract"]["statusReason"], "too expensive", "{paused}");
    assert_eq!(demo.json(&["contracts", "resume", id])["contract"]["status"], "CONTRACT_STATUS_ACTIVE");
    let shown = demo.table(&["contracts", "show", id]);
    assert!(shown.contains("buying budget") && shown.contains("active") && shown.contains(&uuid(id)), "{shown}");
    let exactly = demo.ask("contracts.v1.Contracts/GetContract", json!({ "contractId": id })).await;
    assert_eq!(demo.json(&["contracts", "show", id]), exactly);

    let (headings, rows) = csv(&demo.table(&["contracts", "list", "--limit", "3", "-o", "csv"]));
    assert_eq!(headings[..4], ["id", "name", "type", "status"]);
    assert_eq!(rows.len(), 3);
}

#[tokio::test]
async fn a_listing_that_was_observed_is_explained_rule_by_rule() {
    let demo = Demo::start();
    let drafts = demo.json(&["contracts", "list", "--status", "draft", "--type", "buying"]);
    let contract = drafts["contracts"][0]["id"].as_str().unwrap();
    let listing = json!({
        "marketplace": "simulator", "listingId": "seen-1", "marketHashName": "Gallery Case", "priceCents": "1000",
    });
    let seen = demo.ask("markets.v1.Markets/RecordMarketObservations", json!({ "observations": [listing] })).await;
    let seen = seen["results"][0]["observationId"].as_str().unwrap();
    let explain = ["contracts", "explain", contract, seen, "--buy-fee-bps", "250"];
    let market = json!({ "buyFeeBps": 250 });
    let asked = json!({ "contractId": contract, "observationId": seen, "market": market });
    let exactly = demo.ask("contracts.v1.Contracts/EvaluateContract", asked).await;
    assert_eq!(demo.json(&explain), exactly);
    let table = demo.table(&explain);
    let (verdict, rules) = table.split_once('\n').unwrap();
    assert!(verdict.starts_with("SKIP: Gallery Case on simulator for 10.00, with fee 10.25"), "{verdict}");
    let rule = |code: &str| rules.lines().find(|line| line.starts_with(code)).unwrap().to_owned();
    assert!(rule("CONTRACT_ACTIVE").contains(" no ") && rule("CONTRACT_ACTIVE").contains(" draft "), "{rules}");
    assert!(rule("BUY_PRICE").contains("10.25"), "{rules}");
    let (headings, rows) = csv(&demo.table(&[&explain[..], &["-o", "csv"]].concat()));
    assert_eq!(headings, ["code", "passed", "actual", "limit"]);
    assert_eq!(rows.len(), exactly["evaluation"]["reasons"].as_array().unwrap().len());
    assert!(rows.iter().any(|row| row[0] == "BUY_PRICE" && row[2] == "1025"), "{rows:?}");
}

#[tokio::test]
async fn recorded_listings_are_evaluated_as_a_contract_would_have() {
    let demo = Demo::start();
    let drafts = demo.json(&["contracts", "list", "--status", "draft", "--type", "buying"]);
    let contract = drafts["contracts"][0]["id"].as_str().unwrap();
    // The prices of the demo were observed before.
    let from = SystemClock.now().to_string();
    let simulate = ["contracts", "simulate", contract, "--from", &from, "--buy-fee-bps", "simulator=250"];
    assert_eq!(demo.table(&simulate), "WOULD BUY nothing: nothing was observed in this time\n");
    let listing = |number: u32, price: &str| {
        json!({
            "marketplace": "simulator", "listingId": format!("seen-{number}"), "marketHashName": "Gallery Case",
            "priceCents": price,
        })
    };
    let seen = json!({ "observations": [listing(1, "1000"), listing(2, "90000000")] });
    demo.ask("markets.v1.Markets/RecordMarketObservations", seen).await;
    let asked = json!({
        "contractId": contract, "from": from,
        "fees": [{ "marketplace": "simulator", "buyFeeBps": 250 }],
    });
    let exactly = demo.ask("contracts.v1.Contracts/SimulateContract", asked).await;
    assert_eq!(exactly["observed"], 2);
    assert_eq!(demo.json(&simulate), exactly);
    let table = demo.table(&simulate);
    assert!(table.starts_with("WOULD BUY ") && table.contains(": of 2 observations until 20"), "{table}");
    let (headings, rows) = csv(&demo.table(&[&simulate[..], &["-o", "csv"]].concat()));
    assert_eq!(headings, ["FIELD", "VALUE"]);
    assert!(rows.contains(&vec!["observed".to_owned(), "2".to_owned()]), "{rows:?}");
    for wrong in [["--from", "yesterday"], ["--buy-fee-bps", "250"]] {
        assert_eq!(demo.run(&[&simulate[..3], &wrong].concat()).code, Some(2));
    }
    let selling = demo.json(&["contracts", "list", "--type", "selling"])["contracts"][0]["id"].clone();
    let refused = demo.run(&["contracts", "simulate", selling.as_str().unwrap()]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("[CONTRACT_NEVER_BUYS, HTTP 400]"), "{}", refused.stderr);
}

#[tokio::test]
async fn the_listings_that_a_simulated_contract_would_buy_are_shown() {
    let demo = Demo::start();
    let draft = json!({
        "name": "Cases to try",
        "approvalMode": "APPROVAL_MODE_MANUAL",
        "marketplaces": ["simulator"],
        "buying": { "budgetCents": "5000", "maxBuyPriceCents": "1500", "targetQuantity": 3 },
    });
    demo.ask("contracts.v1.Contracts/CreateContract", draft).await;
    let from = SystemClock.now().to_string();
    let listing = json!({
        "marketplace": "simulator", "listingId": "tried-1", "marketHashName": "Gallery Case", "priceCents": "1000",
    });
    demo.ask("markets.v1.Markets/RecordMarketObservations", json!({ "observations": [listing] })).await;
    let simulate = ["contracts", "simulate", "Cases to try", "--from", &from, "--buy-fee-bps", "simulator=250"];
    let simulate = [&simulate[..], &["--listings"]].concat();
    let table = demo.table(&simulate);
    let [.., headings, row] = table.lines().collect::<Vec<_>>()[..] else { panic!("{table}") };
    assert!(headings.starts_with("ITEM ") && row.starts_with("Gallery Case simulator "), "{table}");
    assert!(row.contains(" 10.00 ") && row.contains(" 10.25 ") && row.chars().count() <= 80, "{table}");
    let answer = demo.json(&simulate);
    let bought = &answer["wouldHaveBought"][0];
    let fields = ["listingId", "priceCents", "platformFeeCents", "allInCostCents"].map(|field| bought[field].clone());
    assert_eq!(fields, ["tried-1", "1000", "25", "1025"]);
    let line = demo.run(&[&simulate[..], &["-o", "jsonl"]].concat()).expect_success().json();
    assert_eq!(&line, bought);
    let (headings, rows) = csv(&demo.table(&[&simulate[..], &["-o", "csv"]].concat()));
    assert_eq!((headings[0].as_str(), headings[4].as_str()), ("marketHashName", "priceCents"));
    assert_eq!((rows.len(), rows[0][0].as_str(), rows[0][4].as_str()), (1, "Gallery Case", "1000"));
}

#[tokio::test]
async fn intents_are_listed_approved_and_rejected() {
    let demo = Demo::start();
    let [first, second] = demo.proposals().await;
    let table = demo.table(&["intents", "list", "--status", "proposed"]);
    assert!(table.contains(&uuid(&first)) && table.contains("AK-47 | Re") && table.contains("12.00"), "{table}");
    let (headings, rows) = csv(&demo.table(&["intents", "list", "--status", "proposed", "-o", "csv"]));
    assert_eq!(headings[..4], ["id", "kind", "status", "listing.marketHashName"]);
    let expected =
        [second.as_str(), "INTENT_KIND_BUY", "INTENT_STATUS_PROPOSED", "AK-47 | Redline (Field-Tested)", "simulator"];
    assert_eq!((rows.len(), &rows[0][..5], rows[0][5].as_str()), (2, &expected.map(str::to_owned)[..], "1200"));
    assert_eq!(demo.json(&["intents", "approve", &first])["intent"]["status"], "INTENT_STATUS_APPROVED");
    let rejected = demo.json(&["intents", "reject", &second, "--reason", "too expensive"]);
    assert_eq!(
        (&rejected["intent"]["status"], &rejected["intent"]["reason"]),
        (&json!("INTENT_STATUS_REJECTED"), &json!("too expensive"))
    );
    let again = demo.run(&["intents", "reject", &second]);
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    assert!(again.stderr.starts_with("error: the server rejected RejectIntent\n  why: "));
}

#[tokio::test]
async fn a_chain_is_shown_with_a_line_for_each_step() {
    let demo = Demo::start();
    let item = demo.server.printed("inventoryItemId");
    let exactly = demo.ask("contracts.v1.Contracts/ListAssetIDLinks", json!({ "inventoryItemId": item })).await;
    let links = exactly["assetIdLinks"].as_array().unwrap();
    let parts = |link: &Value| ["assetId", "source", "sourceId"].map(|field| link[field].as_str().unwrap().to_owned());
    let steps: Vec<[String; 3]> = links.iter().map(parts).collect();
    let table = steps.iter().map(|[asset, source, id]| format!("{asset} ({}: {id})\n", source.replace('_', " ")));
    assert_eq!(demo.table(&["inventory", "chain", item]), table.collect::<String>());
    let wide: Vec<String> = steps.iter().map(|[asset, source, id]| format!("{asset} ({source} {id})")).collect();
    assert_eq!(demo.table(&["inventory", "chain", item, "-o", "wide"]), wide.join(" -> ") + "\n");
    assert_eq!(demo.json(&["inventory", "chain", item])["assetIdLinks"], exactly["assetIdLinks"]);
    let (headings, rows) = csv(&demo.table(&["inventory", "chain", item, "-o", "csv"]));
    assert_eq!((headings[1].as_str(), rows.len()), ("assetId", links.len()));
    let listed = demo.json(&["inventory", "list", "--status", "in_inventory", "--limit", "5"]);
    assert_eq!(listed["inventoryItems"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn a_halt_is_set_and_lifted() {
    let demo = Demo::start();
    let table = demo.table(&["halt", "--reason", "prices look wrong"]);
    assert!(table.contains("Demo trading") && table.contains("prices look wrong"), "{table}");
    let here = demo.ask("accounts.v1.Accounts/GetWorkspace", json!({})).await;
    assert_eq!(here["workspace"]["tradingHalt"]["reason"], "prices look wrong");
    let (headings, rows) = csv(&demo.table(&["halt", "--reason", "still wrong", "-o", "csv"]));
    assert_eq!(headings, ["name", "tradingHalt.since", "tradingHalt.reason"]);
    let [name, since, reason] = rows[0].as_slice() else { panic!("{rows:?}") };
    assert!(since.starts_with("20") && since.ends_with('Z'), "{since}");
    assert_eq!((name.as_str(), reason.as_str()), ("Demo trading", "still wrong"));
    assert_eq!(demo.json(&["halt", "--resume"])["workspace"].get("tradingHalt"), None);
}

#[tokio::test]
async fn changes_are_followed_as_they_happen() {
    let demo = Demo::start();
    let first = demo.table(&["transitions", "tail", "--all", "--count", "3"]);
    assert_eq!(first.lines().count(), 3, "{first}");
    assert!(first.lines().all(|line| line.contains(" -> ")), "{first}");
    let lines = demo.table(&["transitions", "tail", "--all", "--count", "2", "-o", "json"]);
    let changes: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let exactly = demo.ask("contracts.v1.Contracts/WatchTransitions", json!({ "limit": 2 })).await;
    assert_eq!(json!(changes), exactly["transitions"]);
    let (headings, rows) = csv(&demo.table(&["transitions", "tail", "--all", "--count", "2", "-o", "csv"]));
    assert_eq!((headings[0].as_str(), rows.len()), ("createdAt", 2));

    // From the last change on, one that happens while it is waited for.
    let end = demo.ask("contracts.v1.Contracts/WatchTransitions", json!({ "fromEnd": true })).await;
    let end = end["lastTransitionId"].as_str().unwrap().to_owned();
    let paused = async { demo.json(&["contracts", "pause", demo.server.printed("contractId")]) };
    let mut tail = demo.place.command(&["transitions", "tail", "--after", &end, "--count", "1"]);
    tail.env("TRADEPOST_URL", demo.server.url()).env("TRADEPOST_API_KEY", demo.server.printed("apiKey"));
    let tailing = tail.stdout(std::process::Stdio::piped()).spawn().unwrap();
    paused.await;
    let ended = Ended::from(tailing.wait_with_output().unwrap()).expect_success();
    assert!(ended.stdout.contains("active -> paused"), "{}", ended.stdout);
}

#[test]
fn who_follows_is_ended_by_a_signal_in_order() {
    let demo = Demo::start();
    let mut tail = demo.place.command(&["transitions", "tail"]);
    tail.env("TRADEPOST_URL", demo.server.url()).env("TRADEPOST_API_KEY", demo.server.printed("apiKey"));
    let tailing = tail.stdout(std::process::Stdio::piped()).spawn().unwrap();
    // It listens for signals before it asks for anything, and the workspace is asked for before that.
    demo.server.until_logged("\"method\":\"WatchTransitions\"");
    let sent = std::process::Command::new("kill").args(["-INT", &tailing.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(Ended::from(tailing.wait_with_output().unwrap()).code, Some(0));
}

#[test]
fn a_server_of_http_that_is_called_by_https_is_named_so() {
    let demo = Demo::start();
    let secure = demo.server.url().replace("http://", "https://");
    let ended = demo.place.run(&["contracts", "list", "--url", &secure]);
    assert_eq!(ended.code, Some(69), "{}", ended.stderr);
    assert!(ended.stderr.contains("try: the server speaks HTTP: begin the address with http://"), "{}", ended.stderr);
}

#[test]
fn the_exit_code_tells_the_class_of_what_went_wrong() {
    let demo = Demo::start();
    let contract = demo.server.printed("contractId").to_owned();
    // A key without the right, and no key.
    let denied = demo.run_as("readOnlyApiKey", &["contracts", "pause", &contract]);
    assert_eq!(denied.code, Some(77), "{}", denied.stderr);
    assert!(denied.stderr.contains("[PERMISSION_DENIED, HTTP 403]"), "{}", denied.stderr);
    let unknown = demo.place.run(&["contracts", "list", "--url", demo.server.url()]);
    assert_eq!(unknown.code, Some(77), "{}", unknown.stderr);
    assert!(unknown.stderr.starts_with("error: no API key was given"), "{}", unknown.stderr);
    assert!(
        unknown.stderr.contains("try: store the key that the server printed: tradepost login"),
        "{}",
        unknown.stderr
    );
    // No such record, an unknown status, and no server that answers.
    let item = demo.run(&["contracts", "show", demo.server.printed("inventoryItemId")]);
    assert_eq!(item.code, Some(1), "{}", item.stderr);
    assert!(item.stderr.ends_with("[NOT_FOUND, HTTP 404]\n  try: tradepost contracts list\n"), "{}", item.stderr);
    assert_eq!(demo.run(&["contracts", "list", "--status", "asleep"]).code, Some(2));
    assert_eq!(demo.run(&["halt", "--url", "http://127.0.0.1:9"]).code, Some(69));
}

/// A key that only trades cannot look at keys, and so has to be given its workspace.
#[tokio::test]
async fn the_workspace_can_be_named() {
    let demo = Demo::start();
    let here = demo.server.printed("workspaceId");
    let named = demo.run_as("readOnlyApiKey", &["contracts", "list", "--workspace", here, "--limit", "1"]);
    assert_eq!(named.code, Some(0), "{}", named.stderr);
    let other = demo.server.printed("otherWorkspaceId");
    assert_eq!(demo.run(&["contracts", "list", "--workspace", other]).code, Some(77));
}

#[test]
fn profit_is_reported_by_contract_and_of_the_one_that_is_asked_for() {
    let demo = Demo::start();
    let all = demo.json(&["pnl", "--by", "contract"])["rows"].clone();
    let all = all.as_array().unwrap();
    assert!(all.len() > 1, "{all:?}");
    let contract = all[0]["key"].as_str().unwrap();
    let one = demo.json(&["pnl", "--by", "contract", "--contract", contract])["rows"].clone();
    assert_eq!(one, Value::Array(all[..1].to_vec()));
    let by_item = demo.json(&["pnl", "--by", "item_name", "--contract", contract])["rows"].clone();
    assert!(by_item.as_array().is_some_and(|rows| !rows.is_empty()), "{by_item}");
}

#[test]
fn profit_is_reported_in_three_forms() {
    let demo = Demo::start();
    let report = demo.json(&["pnl", "--by", "contract"]);
    assert_eq!(report["truncated"], false);
    let rows = report["rows"].as_array().unwrap();
    let (headings, written) = csv(&demo.table(&["pnl", "--by", "contract", "-o", "csv"]));
    assert_eq!(headings[..4], ["key", "realisedCents", "pendingCents", "unrealisedCents"]);
    let shown = demo.run(&["pnl", "--by", "contract"]).expect_success();
    assert!(shown.stdout.starts_with("KEY ") && shown.stderr.is_empty(), "{}{}", shown.stdout, shown.stderr);
    // The headings and the total are further lines.
    assert_eq!((written.len(), shown.stdout.lines().count()), (rows.len(), rows.len() + 2));
    let contracts = demo.json(&["contracts", "list"])["contracts"].clone();
    let name_of =
        |id: &Value| contracts.as_array().unwrap().iter().find(|one| one["id"] == *id).unwrap()["name"].clone();
    for ((row, written), line) in rows.iter().zip(written).zip(shown.stdout.lines().skip(1)) {
        let figures = ["key", "realisedCents", "pendingCents"].map(|field| row[field].as_str().unwrap());
        assert_eq!(written[..3], figures);
        let name = name_of(&row["key"]);
        assert!(line.starts_with(name.as_str().unwrap()), "{line}");
        assert!(line.contains(&amount(figures[1])), "{line}");
    }
    let sum: i64 = rows.iter().map(|row| row["realisedCents"].as_str().unwrap().parse::<i64>().unwrap()).sum();
    let total = shown.stdout.lines().last().unwrap();
    assert!(total.starts_with("TOTAL ") && total.contains(&amount(&sum.to_string())), "{total}");
}

/// Cents as users read them.
fn amount(cents: &str) -> String {
    let cents: i64 = cents.parse().unwrap();
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

#[test]
fn profit_is_narrowed_by_what_it_is_grouped_by() {
    let demo = Demo::start();
    let rows = |arguments: &[&str]| demo.json(&[&["pnl"], arguments].concat())["rows"].as_array().unwrap().clone();
    for (by, flag) in [
        ("account", "--account"),
        ("buy_marketplace", "--marketplace"),
        ("sell_marketplace", "--sell-marketplace"),
        ("item_name", "--item"),
    ] {
        let all = rows(&["--by", by]);
        let one = all.iter().find(|row| row["key"] != "").unwrap();
        assert!(all.len() > 1, "{by}: {all:?}");
        assert_eq!(rows(&["--by", by, flag, one["key"].as_str().unwrap()]), std::slice::from_ref(one), "{by}");
    }
}

#[tokio::test]
async fn profit_is_reported_as_it_went() {
    let demo = Demo::start();
    let series = ["pnl", "--series", "week", "--account", "trader-1"];
    let asked = json!({ "bucket": "PROFIT_AND_LOSS_BUCKET_WEEK", "accountName": "trader-1" });
    let exactly = demo.ask("contracts.v1.Contracts/GetProfitAndLossSeries", asked).await;
    assert_eq!(demo.json(&series), exactly);
    let points = exactly["points"].as_array().unwrap();
    let cents = |value: &Value| value["realisedCents"].as_str().unwrap().parse::<i64>().unwrap();
    let all = demo.json(&["pnl", "--account", "trader-1"]);
    assert_ne!(cents(&all["rows"][0]), 0);
    assert_eq!(points.iter().map(cents).sum::<i64>(), cents(&all["rows"][0]));
    let table = demo.table(&series);
    assert!(table.starts_with("FROM ") && table.lines().count() == points.len() + 2, "{table}");
    let (headings, rows) = csv(&demo.table(&[&series[..], &["-o", "csv"]].concat()));
    assert_eq!(headings[..2], ["at", "realisedCents"]);
    assert_eq!(rows.iter().map(|row| row[1].parse::<i64>().unwrap()).sum::<i64>(), cents(&all["rows"][0]));
    assert_eq!(demo.run(&["pnl", "--series", "day", "--by", "account"]).code, Some(2));
    let local = ["--account", "trader-1", "--time-zone", "Asia/Shanghai"];
    let days = demo.json(&[&["pnl", "--series", "day"][..], &local].concat())["points"].clone();
    let whole = demo.json(&[&["pnl"][..], &local].concat())["rows"][0].clone();
    assert!(days[0]["at"].as_str().unwrap().ends_with("T16:00:00Z"), "{days}");
    assert_eq!(days.as_array().unwrap().iter().map(cents).sum::<i64>(), cents(&whole));
}

#[test]
fn problems_are_listed_and_counted() {
    let demo = Demo::start();
    let listed = demo.json(&["remediations", "list", "--limit", "200"]);
    let problems = listed["remediations"].as_array().unwrap();
    let is_missing =
        |one: &&Value| one["kind"] == "REMEDIATION_KIND_MISSING_ITEM" && one["status"] == "REMEDIATION_STATUS_OPEN";
    let missing: Vec<&Value> = problems.iter().filter(is_missing).collect();
    assert_eq!(missing.len(), 2, "{problems:?}");
    let table = demo.table(&["remediations", "list", "--limit", "200", "-o", "wide"]);
    let (headings, rows) = csv(&demo.table(&["remediations", "list", "--limit", "200", "-o", "csv"]));
    assert_eq!(headings[..6], ["id", "kind", "severity", "status", "subjectType", "subjectId"]);
    for one in missing {
        let [id, record] = ["id", "subjectId"].map(|field| one[field].as_str().unwrap());
        let line = table.lines().find(|line| line.starts_with(&uuid(id))).unwrap();
        let (of, actions) = (uuid(record), "append_link, write_off");
        for cell in [" missing item ", " critical ", " open ", " inventory item ", of.as_str(), actions] {
            assert!(line.contains(cell), "{cell}: {line}");
        }
        let row = rows.iter().find(|row| row[0] == id).unwrap();
        assert_eq!((row[1].as_str(), row[5].as_str()), ("REMEDIATION_KIND_MISSING_ITEM", record));
    }
    let counted = demo.json(&["remediations", "count"]);
    let (headings, rows) = csv(&demo.table(&["remediations", "count", "-o", "csv"]));
    assert_eq!((headings[..2].join(","), rows.len()), ("status,count".to_owned(), 6));
    for count in counted["counts"].as_array().unwrap() {
        let status = count["status"].as_str().unwrap();
        let of_status = problems.iter().filter(|one| one["status"] == status).count();
        let name = status.strip_prefix("REMEDIATION_STATUS_").unwrap();
        let narrowed = demo.json(&["remediations", "list", "--status", name])["remediations"].clone();
        assert_eq!(narrowed.as_array().map_or(0, Vec::len), of_status, "{status}");
        assert!(rows.contains(&vec![status.to_owned(), of_status.to_string()]), "{status}: {rows:?}");
    }
}

#[test]
fn items_are_found_by_their_name_and_by_who_holds_them() {
    let demo = Demo::start();
    let items = |arguments: &[&str]| {
        let listed = demo.json(&[&["inventory", "list", "--limit", "500"], arguments].concat());
        listed["inventoryItems"].as_array().unwrap().clone()
    };
    let all = items(&[]);
    for (flag, field) in [("--name", "marketHashName"), ("--account", "accountName")] {
        let wanted = all[0][field].as_str().unwrap();
        let expected: Vec<&Value> = all.iter().filter(|item| item[field] == wanted).collect();
        assert!(expected.len() < all.len());
        assert_eq!(items(&[flag, wanted]).iter().collect::<Vec<_>>(), expected);
    }
}
