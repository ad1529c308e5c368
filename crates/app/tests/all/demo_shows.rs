//! What the demo shows to a newcomer can be used: the commands of its first screen, its prices, and its problems, which can be solved.

use std::collections::BTreeSet;
use std::process::Command;

use secrecy::ExposeSecret as _;
use serde_json::json;
use time::Duration;
use tradepost::SystemClock;
use tradepost::auth::Rfc6238;
use tradepost::ports::clock::Clock as _;

use crate::client::{Demo, uuid};
use crate::command::{Ended, Place};

#[tokio::test]
async fn everything_that_the_demo_suggests_works() {
    let demo = Demo::start();
    the_commands_of_the_first_screen_work(&demo);
    every_item_has_prices_of_three_months(&demo).await;
    every_open_problem_can_be_solved(&demo);
}

fn the_commands_of_the_first_screen_work(demo: &Demo) {
    let screen = demo.server.log();
    let lines: Vec<&str> = screen.lines().skip_while(|line| !line.starts_with("tradepost ")).map(str::trim).collect();
    let exports: Vec<&str> = lines.iter().copied().filter(|line| line.starts_with("export ")).collect();
    let commands: Vec<&str> =
        lines.iter().filter_map(|line| line.split_once(" # ")).map(|(command, _)| command.trim()).collect();
    // The first of them puts the program on the path.
    assert!(exports.len() == 3 && (3..=5).contains(&commands.len()), "{screen}");
    for command in commands {
        let ended = in_a_shell(demo, &format!("{}\n{command}", exports.join("\n"))).expect_success();
        assert!(
            ended.stdout.lines().count() > 0 && !ended.stdout.starts_with("No results"),
            "{command}: {}",
            ended.stdout
        );
    }
    demo.run(&["halt", "--resume"]).expect_success();
}

/// Runs what is pasted into a terminal that knows nothing of the demo.
fn in_a_shell(demo: &Demo, script: &str) -> Ended {
    let mut shell = Command::new("sh");
    shell.args(["-euc", script]).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", demo.place.path("."));
    shell.output().unwrap().into()
}

async fn every_item_has_prices_of_three_months(demo: &Demo) {
    let from = SystemClock.now().plus(-Duration::days(91)).to_string();
    for item in names_of_items(demo).await {
        let asked = json!({ "marketHashName": item, "bucket": "PRICE_BUCKET_DAY", "from": from });
        let history = demo.ask("markets.v1.Markets/ListPriceHistory", asked).await;
        let points = history["points"].as_array().map_or(0, Vec::len);
        assert!((90..=91).contains(&points), "{item}: {points} points");
    }
}

/// The market names of all items that the demo has bought, which are more than one page.
async fn names_of_items(demo: &Demo) -> BTreeSet<String> {
    let (mut names, mut pages, mut cursor) = (BTreeSet::new(), 0, String::new());
    while pages == 0 || !cursor.is_empty() {
        let listed = demo.ask("contracts.v1.Contracts/ListInventoryItems", json!({ "cursor": cursor })).await;
        let asked = json!({ "inventoryItemIds": listed["inventoryItemIds"] });
        let found = demo.ask("contracts.v1.Contracts/GetInventoryItems", asked).await;
        let items = found["inventoryItems"].as_array().unwrap();
        names.extend(items.iter().map(|item| item["marketHashName"].as_str().unwrap().to_owned()));
        listed["nextCursor"].as_str().unwrap_or_default().clone_into(&mut cursor);
        pages += 1;
    }
    assert!(pages > 1 && names.len() > 5, "{pages} pages: {names:?}");
    names
}

fn every_open_problem_can_be_solved(demo: &Demo) {
    for problem in live(demo, "outcome_unknown") {
        run(demo, &problem, "reconcile").expect_success();
    }
    // The marketplace has shown one order, and none for the other purchase.
    solve(demo, "outcome_unknown", &["release_reservation"]);
    solve(demo, "missing_item", &["append_link", "write_off"]);
    solve(demo, "trade_reversed", &["reconcile", "record_refund"]);
    let listed = demo.json(&["remediations", "list", "--limit", "200"]);
    let mut problems = listed["remediations"].as_array().unwrap().iter();
    assert!(problems.all(|problem| problem["status"] == "REMEDIATION_STATUS_RESOLVED"), "{listed}");
}

/// Solves the problems of a kind, each by one of these actions.
fn solve(demo: &Demo, kind: &str, actions: &[&str]) {
    let problems = live(demo, kind);
    assert_eq!(problems.len(), actions.len(), "{kind}");
    for (problem, action) in problems.iter().zip(actions) {
        run(demo, problem, action).expect_success();
    }
    assert_eq!(live(demo, kind), Vec::<String>::new(), "{kind}");
}

/// The problems of this kind that are neither solved nor dismissed.
fn live(demo: &Demo, kind: &str) -> Vec<String> {
    let listed = demo.json(&["remediations", "list", "--kind", kind]);
    let problems = listed["remediations"].as_array().cloned().unwrap_or_default();
    let ended = ["REMEDIATION_STATUS_RESOLVED", "REMEDIATION_STATUS_DISMISSED"];
    let open = problems.iter().filter(|problem| !ended.contains(&problem["status"].as_str().unwrap()));
    open.map(|problem| uuid(problem["id"].as_str().unwrap())).collect()
}

/// Takes an action, with what it needs.
fn run(demo: &Demo, problem: &str, action: &str) -> Ended {
    let now = SystemClock.now();
    let (first, last) = (now.plus(-Duration::minutes(20)).to_string(), now.plus(-Duration::minutes(10)).to_string());
    let code = Rfc6238::code(demo.server.printed("totpSecret"), now).unwrap();
    let arguments: &[&str] = match action {
        "append_link" => &["--evidence", "inventory-1", "--source", "inventory", "--asset-id", "39000000001"],
        "release_reservation" => &[
            "--evidence",
            "statement-1",
            "--first-lookup",
            &first,
            "--last-lookup",
            &last,
            "--listing-explained",
            "--balance-unchanged",
            "--totp-code",
            code.expose_secret(),
        ],
        "record_refund" | "write_off" => &["--evidence", "case-1", "--totp-code", code.expose_secret()],
        _ => &[],
    };
    demo.run(&[&["remediations", "run", problem, action], arguments].concat())
}

#[test]
fn a_number_of_days_out_of_range_is_rejected() {
    let place = Place::new();
    for days in ["29", "366", "many"] {
        let ended = place.run(&["demo", "--days", days]);
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains("--days"), "{}", ended.stderr);
    }
}
