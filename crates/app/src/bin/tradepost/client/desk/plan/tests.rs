//! Plans of small files over few records.

use serde_json::{Value, json};

use super::super::document::check;
use super::super::kinds::kind;
use super::super::tree::{Syntax, read};
use super::*;

const POOL: &str = "[[pools]]\nname = \"Main\"\nlimits = { budget = \"100.00\" }\n";
const CONTRACT: &str = "[[contracts]]\nname = \"AKs\"\napproval = \"manual\"\nselling = { floor_price = \"5.00\" }\n";

fn now() -> OffsetDateTime {
    OffsetDateTime::parse("2026-01-31T00:00:00Z", &Rfc3339).unwrap()
}

fn current(sections: &[(&str, Value)]) -> Current {
    let mut current = Current::default();
    for (section, records) in sections {
        current.add(kind(section).unwrap(), records.as_array().unwrap());
    }
    current
}

fn planned_for(text: &str, current: &Current) -> Result<Plan, Vec<String>> {
    let file = check(&read(text, Syntax::Toml).unwrap()).ok().unwrap();
    plan(&file, current, now()).map_err(|found| found.iter().map(ToString::to_string).collect())
}

/// What is to be done, a line for each record.
fn lines(text: &str, current: &Current) -> Vec<String> {
    let plan = planned_for(text, current).ok().unwrap();
    let line = |planned: &Planned| {
        let change = |change: &Change| {
            let [old, new] = [&change.old, &change.new].map(|value| values::shown(value.as_ref()));
            format!("{} {old} -> {new}", change.path)
        };
        let changes: Vec<String> = planned.changes.iter().map(change).collect();
        let work: Vec<String> =
            changes.into_iter().chain(planned.moves.iter().map(|step| (*step).to_owned())).collect();
        format!("{} {}: {}", planned.action().as_str(), planned.title(), work.join(", "))
    };
    plan.records.iter().map(line).collect()
}

fn refused(text: &str, current: &Current) -> Vec<String> {
    planned_for(text, current).err().unwrap_or_default()
}

fn pool(name: &str, budget: &str, status: &str) -> Value {
    json!({
        "id": "p1", "version": "2", "name": name, "status": format!("POOL_STATUS_{status}"),
        "limits": { "budgetCents": budget, "dailyLimitCents": "500" },
    })
}

fn contract(status: &str) -> Value {
    json!({
        "id": "c1", "version": "2", "name": "AKs", "status": format!("CONTRACT_STATUS_{status}"),
        "approvalMode": "APPROVAL_MODE_MANUAL", "selling": { "floorPriceCents": "500" },
    })
}

#[test]
fn what_is_missing_is_created_before_what_names_it() {
    let text = format!("{CONTRACT}pool = \"Main\"\n{POOL}")
        .replace("selling = { floor_price = \"5.00\" }\n", "selling.floor_price = \"5.00\"\n");
    assert_eq!(
        lines(&text, &Current::default()),
        [
            "create pool \"Main\": name none -> Main, limits.budget none -> 100.00",
            "create contract \"AKs\": name none -> AKs, approval none -> manual, pool none -> Main, selling.floor_price none -> 5.00",
        ]
    );
}

#[test]
fn a_record_changes_to_what_the_file_says_and_loses_what_it_does_not_say() {
    let there = current(&[("pools", json!([pool("Main", "9000", "ACTIVE"), pool("Other", "1", "ACTIVE")]))]);
    assert_eq!(
        lines(POOL, &there),
        ["change pool \"Main\": limits.budget 90.00 -> 100.00, limits.daily_limit 5.00 -> none"]
    );
}

#[test]
fn a_record_that_is_as_described_is_kept() {
    let text = POOL.replace("\"100.00\"", "\"100\", daily_limit = \"5.0\"");
    let there = current(&[("pools", json!([pool("Main", "10000", "PAUSED")]))]);
    assert_eq!(lines(&text, &there), ["keep pool \"Main\": "]);
    assert!(planned_for(&text, &there).ok().unwrap().is_empty());
}

#[test]
fn a_status_changes_by_the_step_that_leads_there() {
    for (status, state, expected) in [
        ("DRAFT", "active", "change contract \"AKs\": state draft -> active, ActivateContract"),
        ("ACTIVE", "paused", "change contract \"AKs\": state active -> paused, PauseContract"),
        ("PAUSED", "active", "change contract \"AKs\": state paused -> active, ResumeContract"),
        ("DRAFT", "paused", "keep contract \"AKs\": "),
        ("SUSPENDED", "active", "keep contract \"AKs\": "),
        ("COMPLETED", "active", "keep contract \"AKs\": "),
    ] {
        let there = current(&[("contracts", json!([contract(status)]))]);
        assert_eq!(lines(&format!("{CONTRACT}state = \"{state}\"\n"), &there), [expected], "{status}");
        assert_eq!(lines(CONTRACT, &there), ["keep contract \"AKs\": "], "{status}");
    }
    let there = current(&[("contracts", json!([contract("ACTIVE")]))]);
    assert_eq!(
        refused(&format!("{CONTRACT}state = \"draft\"\n"), &there),
        ["line 1: contract \"AKs\": it is active and cannot become a draft again; write state = \"paused\""]
    );
}

#[test]
fn what_no_operation_can_change_is_refused_before_anything_is_done() {
    let ended = current(&[("contracts", json!([contract("COMPLETED")]))]);
    let other = CONTRACT.replace("5.00", "6.00");
    assert_eq!(
        refused(&other, &ended),
        [
            "line 1: contract \"AKs\": it is COMPLETED and cannot change; remove it from the file, or give it another name"
        ]
    );
    let archived = current(&[("pools", json!([pool("Main", "10000", "ARCHIVED")]))]);
    assert_eq!(refused(POOL, &archived).len(), 1);
    let active = current(&[("contracts", json!([contract("ACTIVE")]))]);
    let pooled = format!("{POOL}{CONTRACT}").replace("approval", "pool = \"Main\"\napproval");
    assert_eq!(
        refused(&pooled, &active),
        ["line 4: contract \"AKs\": pool is none and cannot change; give the record another name"]
    );
    let buying = CONTRACT.replace(
        "selling = { floor_price = \"5.00\" }",
        "buying = { target_quantity = 1, max_buy_price = \"1.00\", budget = \"1.00\" }",
    );
    assert!(refused(&buying, &active)[0].contains("between buying and selling"));
    assert_eq!(refused(&buying, &current(&[("contracts", json!([contract("DRAFT")]))])), [""; 0]);
}

#[test]
fn a_name_that_several_records_have_is_refused() {
    let there = current(&[("pools", json!([pool("Main", "1", "ACTIVE"), pool("Main", "2", "PAUSED")]))]);
    assert_eq!(refused(POOL, &there), ["line 1: pool \"Main\": the workspace has 2 of this name; rename all but one"]);
}

#[test]
fn a_reference_names_a_record_of_the_file_or_of_the_workspace() {
    let there = current(&[("pools", json!([pool("Main", "10000", "ACTIVE")]))]);
    let text = CONTRACT.replace("approval", "pool = \"Mian\"\napproval");
    assert_eq!(
        refused(&text, &there),
        ["line 1: contract \"AKs\": pool: no pool has the name \"Mian\" (did you mean \"Main\"?)"]
    );
    assert_eq!(refused(&text.replace("Mian", "Main"), &there), [""; 0]);
}

#[test]
fn an_expired_price_override_is_left_as_it_is() {
    let text = |day: &str| {
        format!(
            "[[price_overrides]]\nmarket_hash_name = \"Gallery Case\"\nprice = \"5.00\"\nexpires_at = {day}\nreason = \"sale\"\n"
        )
    };
    assert_eq!(planned_for(&text("2026-01-31"), &Current::default()).ok().unwrap().records[0].action(), Action::Keep);
    assert_eq!(planned_for(&text("2026-02-01"), &Current::default()).ok().unwrap().records[0].action(), Action::Create);
}

const ACCOUNT: &str = "[[accounts]]\nname = \"bot-1\"\nplatform = \"steam\"\nplatform_user_id = \"1\"\n";

fn account(has_secrets: bool) -> Value {
    json!({
        "id": "a1", "version": "1", "name": "bot-1", "platform": "steam", "platformUserId": "1",
        "hasSecrets": has_secrets, "status": "ACCOUNT_STATUS_READY", "limits": { "maxInventory": 1000 },
        "tradeToken": "t",
        "capabilities": ["ACCOUNT_CAPABILITY_BUY", "ACCOUNT_CAPABILITY_SELL", "ACCOUNT_CAPABILITY_STORE"],
    })
}

#[test]
fn secrets_are_sent_to_a_record_that_has_none() {
    let text = format!("{ACCOUNT}secrets.password = {{ env = \"P\" }}\n");
    for (has, action) in [(false, Action::Change), (true, Action::Keep)] {
        let there = current(&[("accounts", json!([account(has)]))]);
        let plan = planned_for(&text, &there).ok().unwrap();
        assert_eq!((plan.records[0].sends_secrets, plan.records[0].action()), (!has, action));
        assert_eq!(plan.records[0].changes, []);
    }
}

#[test]
fn limits_of_giving_stay_without_their_table_and_are_replaced_by_it_as_a_whole() {
    let mut limited = account(true);
    limited["givingLimits"] = json!({ "maxGiveCentsPerHour": "5000", "maxGiveCentsPerDay": "20000" });
    let there = current(&[("accounts", json!([limited]))]);
    assert_eq!(lines(ACCOUNT, &there), ["keep trading account \"bot-1\": "]);
    assert_eq!(
        lines(&format!("{ACCOUNT}giving_limits.max_give_per_day = \"100\"\n"), &there),
        [
            "change trading account \"bot-1\": giving_limits.max_give_per_day 200.00 -> 100.00, giving_limits.max_give_per_hour 50.00 -> none"
        ]
    );
}

/// A contract that is to be active with these limits.
fn active(limits: &str) -> String {
    format!(
        "[[contracts]]\nname = \"AKs\"\napproval = \"manual\"\nstate = \"active\"\nmarketplaces = [\"simulated\"]\n[contracts.buying]\n{limits}"
    )
}

fn on_record() -> Current {
    current(&[("providers", json!([{ "id": "m1", "version": "1", "name": "simulated" }]))])
}

#[test]
fn limits_that_activation_would_reject_are_reported_before_anything_changes() {
    let limits = |most: &str, budget: &str| {
        refused(
            &active(&format!("target_quantity = 2\nmax_buy_price = \"{most}\"\nbudget = \"{budget}\"\n")),
            &on_record(),
        )
    };
    assert_eq!(limits("30", "60"), [""; 0]);
    assert_eq!(limits("30", "0"), ["line 1: contract \"AKs\": budget must be more than zero"]);
    assert_eq!(limits("30", "20"), ["line 1: contract \"AKs\": maximum buy price must not be more than budget"]);
}

#[test]
fn an_active_contract_names_marketplaces_that_are_on_record() {
    let text = active("target_quantity = 2\nmax_buy_price = \"3\"\nbudget = \"6\"\n").replace("simulated", "simulatd");
    let said =
        "line 1: contract \"AKs\": marketplaces: no provider has the name \"simulatd\" (did you mean \"simulated\"?)";
    assert_eq!(refused(&text, &on_record()), [said]);
}

#[test]
fn a_draft_with_an_unknown_marketplace_is_accepted_with_a_warning() {
    let text =
        active("target_quantity = 2\nmax_buy_price = \"3\"\nbudget = \"6\"\n").replace("\"active\"", "\"draft\"");
    let warnings = |text: &str| planned_for(text, &on_record()).ok().unwrap().warnings;
    assert!(warnings(&text).is_empty());
    let warned = warnings(&text.replace("simulated", "simulatd"));
    assert!(warned.iter().any(|warning| warning.to_string().contains("did you mean \"simulated\"?")), "{warned:?}");
}
