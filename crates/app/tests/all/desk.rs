//! A desk in a file, applied to a real server: the example of the repository, and what happens when a file is wrong or a call fails.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::command::{Ended, Place, Server};
use crate::filled_demo;

/// A server with sample data, and a desk file next to it.
struct Desk {
    place: Place,
    server: Server,
}

impl Desk {
    /// The server, and the example as `desk.toml`.
    fn with_example() -> Self {
        let place = Place::new();
        let server = filled_demo::serve(&place);
        let desk = Self { place, server };
        desk.write(&fs::read_to_string(example()).unwrap());
        desk
    }

    fn write(&self, text: &str) {
        fs::write(self.place.path("desk.toml"), text).unwrap();
    }

    fn edit(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.place.path("desk.toml")).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        self.write(&text.replace(from, to));
    }

    fn apply(&self, more: &[&str]) -> Ended {
        self.apply_with(&[], more)
    }

    fn apply_with(&self, variables: &[(&str, &str)], more: &[&str]) -> Ended {
        let mut command = self.place.command(&[&["contracts", "apply", "-f", "desk.toml"], more].concat());
        command.env("TRADEPOST_URL", self.server.url()).env("TRADEPOST_API_KEY", self.server.printed("apiKey"));
        command.envs(variables.iter().copied()).output().unwrap().into()
    }

    /// The ids that a list has.
    async fn ids(&self, operation: &str, field: &str) -> Vec<Value> {
        let request = json!({ "workspaceId": self.server.line["workspaceId"], "limit": 200 });
        let (status, answer) = self.server.call(self.server.printed("apiKey"), operation, request).await;
        assert_eq!(status, 200, "{answer}");
        answer[field].as_array().cloned().unwrap_or_default()
    }

    async fn contract(&self, name: &str) -> Value {
        let ids = self.ids("contracts.v1.Contracts/ListContracts", "contractIds").await;
        let request = json!({ "workspaceId": self.server.line["workspaceId"], "contractIds": ids });
        let key = self.server.printed("apiKey");
        let (_, answer) = self.server.call(key, "contracts.v1.Contracts/GetContracts", request).await;
        let found = answer["contracts"].as_array().unwrap().iter().find(|contract| contract["name"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {answer}")).clone()
    }
}

fn example() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/desk.toml")
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[tokio::test]
async fn the_example_is_shown_applied_once_edited_and_applied() {
    let desk = Desk::with_example();
    let before = desk.ids("contracts.v1.Contracts/ListContracts", "contractIds").await.len();

    let shown = desk.apply(&["--dry-run"]).expect_success().stdout;
    assert!(shown.contains("+ pool \"Main\"\n    limits.budget: 5000.00\n"), "{shown}");
    assert!(shown.contains("~ trading account \"trader-1\"\n"), "{shown}");
    assert!(shown.contains("    limits.max_inventory: 1000 -> 800\n"), "{shown}");
    assert_eq!(last_line(&shown), "6 to create, 1 to change, 0 unchanged");
    assert_eq!(desk.apply(&["--dry-run", "--exit-code"]).code, Some(3));
    assert_eq!(desk.ids("contracts.v1.Contracts/ListContracts", "contractIds").await.len(), before);

    let applied = desk.apply(&[]).expect_success().stdout;
    assert_eq!(last_line(&applied), "applied");
    let contract = desk.contract("AKs 5 % below value").await;
    assert_eq!(
        (&contract["status"], &contract["buying"]["budgetCents"]),
        (&json!("CONTRACT_STATUS_ACTIVE"), &json!("250000"))
    );
    assert_ne!(contract["poolId"], "");

    let again = desk.apply(&["--dry-run", "--exit-code"]).expect_success().stdout;
    assert_eq!(again, "0 to create, 0 to change, 7 unchanged\n");
    assert_eq!(desk.apply(&[]).expect_success().stdout, "0 to create, 0 to change, 7 unchanged\n");
    assert_eq!(desk.ids("contracts.v1.Contracts/ListContracts", "contractIds").await.len(), before + 2);

    desk.edit("daily_budget = \"500.00\"\n", "");
    desk.edit("max_buy_price = \"120.00\"", "max_buy_price = \"110.5\"");
    desk.edit("state = \"active\"", "state = \"paused\"");
    let edited = desk.apply(&[]).expect_success().stdout;
    let expected = "~ contract \"AKs 5 % below value\"\n    buying.daily_budget: 500.00 -> none\n    buying.max_buy_price: \
                    120.00 -> 110.50\n    state: active -> paused\n0 to create, 1 to change, 6 unchanged\napplied\n";
    assert_eq!(edited, expected);
    let contract = desk.contract("AKs 5 % below value").await;
    assert_eq!(
        (&contract["status"], &contract["buying"]["maxBuyPriceCents"]),
        (&json!("CONTRACT_STATUS_PAUSED"), &json!("11050"))
    );
    assert_eq!(contract["buying"].get("dailyBudgetCents"), None);
}

#[tokio::test]
async fn a_plan_is_one_document_for_programs_and_a_file_can_be_json_on_standard_input() {
    let desk = Desk::with_example();
    desk.write("[[pools]]\nname = \"Main\"\nlimits.budget = \"10.00\"\n");
    let plan = desk.apply(&["--dry-run", "-o", "json"]).expect_success().json();
    assert_eq!(
        plan,
        json!({
            "applied": false,
            "unchanged": 0,
            "records": [{
                "action": "create", "section": "pools", "record": "Main", "sendsSecrets": false,
                "changes": [
                    { "field": "name", "old": null, "new": "Main" }, { "field": "limits.budget", "old": null, "new": "10.00" },
                ],
            }],
        })
    );
    let csv = desk.apply(&["-o", "csv"]).expect_success().stdout;
    assert_eq!(
        csv,
        "action,section,record,field,old,new\ncreate,pools,Main,name,,Main\ncreate,pools,Main,limits.budget,,10.00\n"
    );
    desk.write("{\"pools\": [{\"name\": \"Main\", \"limits\": {\"budget\": \"10\"}}]}");
    let mut command = desk.place.command(&["contracts", "apply", "-f", "-"]);
    command.env("TRADEPOST_URL", desk.server.url()).env("TRADEPOST_API_KEY", desk.server.printed("apiKey"));
    let file = fs::File::open(desk.place.path("desk.toml")).unwrap();
    let ended = Ended::from(command.stdin(file).output().unwrap()).expect_success();
    assert_eq!(ended.stdout, "0 to create, 0 to change, 1 unchanged\n");
}

#[tokio::test]
async fn a_file_with_mistakes_changes_nothing_and_names_each_with_its_line() {
    let desk = Desk::with_example();
    desk.edit("budget = \"5000.00\"", "budgte = \"5000.00\"");
    desk.edit("weapons =", "wepons =");
    let ended = desk.apply(&[]);
    assert_eq!(ended.code, Some(1));
    let expected = "error: desk.toml has 3 mistakes; nothing was changed\n  why: line 9: unknown key of pools.limits: budgte \
                    (did you mean budget?)\n  why: line 9: pools.limits.budget is required\n  why: line 14: unknown key of \
                    filter_sets.rules: wepons (did you mean weapons?)\n";
    assert!(ended.stderr.starts_with(expected), "{}", ended.stderr);
    assert!(desk.ids("contracts.v1.Contracts/ListPools", "poolIds").await.len() <= 1);
    desk.write("[[pools]\n");
    assert!(desk.apply(&[]).stderr.contains("why: line 1: "));
}

#[tokio::test]
async fn a_call_that_fails_ends_the_run_and_the_next_run_goes_on() {
    let desk = Desk::with_example();
    // The pool allows less than the contract wants.
    desk.edit("pool = \"Simulated\"", "pool = \"Main\"");
    desk.edit("budget = \"5000.00\"", "budget = \"2000.00\"");
    let ended = desk.apply(&[]);
    assert_eq!(ended.code, Some(1));
    let expected = "done: create pool \"Main\"\ndone: create filter set \"Clean AKs\"\ndone: change trading account \"trader-1\"\n\
                    done: create assignment \"trader-1 to Main\"\ndone: create price override \"AK-47 | Redline \
                    (Field-Tested)\"\ndone: create contract \"AKs 5 % below value\"\nfailed: ActivateContract of contract \
                    \"AKs 5 % below value\"\nnot done: create contract \"Sell above \
                    cost\"\nerror: ";
    assert!(ended.stderr.starts_with(expected), "{}", ended.stderr);
    assert!(ended.stderr.contains("BEYOND_POOL"), "{}", ended.stderr);
    desk.edit("budget = \"2000.00\"", "budget = \"5000.00\"");
    let resumed = desk.apply(&[]).expect_success().stdout;
    assert!(resumed.contains("~ contract \"AKs 5 % below value\"\n    state: draft -> active\n"), "{resumed}");
    assert!(resumed.contains("1 to create, 2 to change, 4 unchanged"), "{resumed}");
    assert_eq!(desk.contract("AKs 5 % below value").await["status"], "CONTRACT_STATUS_ACTIVE");
}

#[tokio::test]
async fn a_record_that_was_deleted_is_created_again_within_a_day() {
    let desk = Desk::with_example();
    desk.write("[[filter_sets]]\nname = \"Short-lived\"\nrules = { weapons = [\"AK-47\"] }\n");
    let applied = || desk.apply(&[]).expect_success().stdout;
    assert!(applied().contains("1 to create"));
    let ids = desk.ids("contracts.v1.Contracts/ListFilterSets", "filterSetIds").await;
    let request = json!({ "workspaceId": desk.server.line["workspaceId"], "filterSetId": ids[0] });
    let key = desk.server.printed("apiKey");
    let (status, answer) = desk.server.call(key, "contracts.v1.Contracts/DeleteFilterSet", request).await;
    assert_eq!(status, 200, "{answer}");
    assert!(applied().contains("1 to create"));
    let after = desk.ids("contracts.v1.Contracts/ListFilterSets", "filterSetIds").await;
    assert_eq!(after.len(), ids.len());
    assert_ne!(after[0], ids[0]);
}

#[test]
fn a_secret_is_read_before_anything_is_changed() {
    let desk = Desk::with_example();
    let account = "[[accounts]]\nname = \"bot-9\"\nplatform = \"steam\"\nplatform_user_id = \"76561198000000099\"\n\
                   secrets.password = { env = \"BOT_9\" }\n";
    desk.write(&format!("[[pools]]\nname = \"Main\"\nlimits.budget = \"10.00\"\n{account}"));
    let ended = desk.apply(&[]);
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.contains("error: cannot read secrets.password of trading account \"bot-9\""),
        "{}",
        ended.stderr
    );
    let with_variable = desk.apply_with(&[("BOT_9", "hunter2")], &[]);
    assert!(
        with_variable.stderr.contains("done: create pool \"Main\"\nfailed: create trading account"),
        "{}",
        with_variable.stderr
    );
    assert!(with_variable.stderr.contains("CreateAccount needs a second factor"), "{}", with_variable.stderr);
}

#[test]
fn questions_need_a_terminal() {
    let place = Place::new();
    let server = filled_demo::serve(&place);
    let mut command = place.command(&["contracts", "new"]);
    command.env("TRADEPOST_URL", server.url()).env("TRADEPOST_API_KEY", server.printed("apiKey"));
    let ended = Ended::from(command.output().unwrap());
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.starts_with("error: contracts new asks its questions on a terminal\n"), "{}", ended.stderr);
}

#[test]
fn the_schema_of_the_file_is_printed() {
    let schema = Place::new().run(&["schema"]).expect_success().json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["properties"]["contracts"]["type"], "array");
}
