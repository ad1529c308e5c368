//! Questions that a script answers.

use std::collections::BTreeSet;

use super::super::kinds::kind;
use super::*;

/// Answers by the name of the question, and notes what was asked.
struct Script(Vec<(&'static str, &'static str)>, Vec<String>);

impl Answers for Script {
    fn ask(&mut self, question: &Question<'_>) -> Outcome<String> {
        self.1.push(question.name.clone());
        let given = self.0.iter().find(|(name, _)| question.name == *name);
        let answer = given.map(|(_, answer)| (*answer).to_owned()).or(question.default.clone()).unwrap_or_default();
        assert_eq!((question.check)(&answer), Ok(()), "{}", question.name);
        assert!(question.choices.is_empty() || question.choices.contains(&answer), "{}", question.name);
        Ok(answer)
    }
}

fn known(section: &str) -> Vec<String> {
    vec![format!("{section}-1"), "Main".to_owned()]
}

fn seen(status: &str, values: &Value) -> Seen {
    let values = values.as_object().unwrap().clone().into_iter().collect();
    let (id, version, status) = ("1".to_owned(), 1, status.to_owned());
    Seen { id, version, values, status, is_over: false, has_secrets: false }
}

#[test]
fn defaults_and_few_answers_make_a_contract() {
    let answers = vec![
        ("name", "AKs"),
        ("pool", "Main"),
        ("restricted", "yes"),
        ("marketplaces", "csfloat, skinport"),
        ("buying.target_quantity", "3"),
        ("buying.max_buy_price", "15"),
        ("buying.budget", "45.00"),
    ];
    let mut script = Script(answers, Vec::new());
    let found = record(&CONTRACTS, &mut script, &known, None).unwrap();
    let expected = json!({
        "name": "AKs", "approval": "manual", "pool": "Main", "marketplaces": ["csfloat", "skinport"], "state": "draft",
        "buying.target_quantity": 3, "buying.max_buy_price": "15.00", "buying.budget": "45.00",
    });
    assert_eq!(serde_json::to_value(&found).unwrap(), expected);
    assert_eq!(script.1.first_chunk(), Some(&["type", "name", "buying.target_quantity"].map(str::to_owned)));
    assert!(!script.1.iter().any(|name| name.starts_with("selling.")), "{:?}", script.1);
}

#[test]
fn every_field_of_a_contract_has_its_question() {
    let asked: BTreeSet<&str> = FIRST.into_iter().chain(FURTHER).chain(["state"]).collect();
    assert_eq!(asked, CONTRACTS.fields.iter().map(|field| field.name).collect());
}

#[test]
fn a_typed_answer_is_checked_by_the_rules_of_the_file() {
    let field = |name: &str| {
        let Some(Form::Table(fields)) =
            CONTRACTS.fields.iter().find(|field| field.name == "buying").map(|field| &field.form)
        else {
            return Err("no table".to_owned());
        };
        Ok(fields.iter().find(|field| field.name == name).unwrap())
    };
    let error = |name: &str, text: &str| read(field(name).unwrap(), text, false).unwrap_err();
    assert_eq!(error("budget", ""), "an answer is required");
    assert!(error("budget", "a lot").starts_with("must be an amount"));
    assert_eq!(error("min_discount_bps", "10001"), "must be a whole number from 0 to 10000");
    assert_eq!(read(field("min_discount_bps").unwrap(), " ", false), Ok(None));
    assert_eq!(read(field("min_discount_bps").unwrap(), "none", true), Ok(None));
}

#[test]
fn a_small_table_is_asked_for_in_full_and_a_large_one_by_its_first_fields() {
    let answers = vec![("name", "Night"), ("limits.budget", "1000"), ("limits.daily_limit", "50")];
    let mut script = Script(answers, Vec::new());
    let found = record(kind("pools").unwrap(), &mut script, &known, None).unwrap();
    let expected = json!({ "name": "Night", "limits.budget": "1000.00", "limits.daily_limit": "50.00" });
    assert_eq!(serde_json::to_value(&found).unwrap(), expected);
    let mut script = Script(vec![("name", "AKs"), ("rules.weapons", "AK-47, M4A4")], Vec::new());
    let found = record(kind("filter_sets").unwrap(), &mut script, &known, None).unwrap();
    assert_eq!(serde_json::to_value(&found).unwrap(), json!({ "name": "AKs", "rules.weapons": ["AK-47", "M4A4"] }));
    assert!(!script.1.iter().any(|name| name == "rules.paint_seeds"), "{:?}", script.1);
}

#[test]
fn settings_are_typed_as_pairs_and_secrets_are_not_asked_for() {
    let answers = vec![
        ("name", "market-2"),
        ("kind", "marketplace"),
        ("driver", "simulator"),
        ("currency", "USD"),
        ("settings", "world=main, customer=desk"),
    ];
    let mut script = Script(answers, Vec::new());
    let found = record(kind("providers").unwrap(), &mut script, &known, None).unwrap();
    assert_eq!((&found["settings.world"], &found["settings.customer"]), (&json!("main"), &json!("desk")));
    assert!(!script.1.iter().any(|name| name == "credentials" || name == "enabled"), "{:?}", script.1);
}

#[test]
fn a_change_begins_with_the_present_values_and_keeps_what_cannot_change() {
    let present = json!({
        "name": "AKs", "approval": "automatic", "pool": "Main", "state": "active", "marketplaces": ["csfloat"],
        "buying.target_quantity": 3, "buying.max_buy_price": "15.00", "buying.budget": "45.00",
        "buying.daily_budget": "9.00",
    });
    let mut script = Script(vec![("buying.budget", "60"), ("buying.daily_budget", "none")], Vec::new());
    let found = record(&CONTRACTS, &mut script, &known, Some(&seen("ACTIVE", &present))).unwrap();
    let expected = json!({
        "name": "AKs", "approval": "automatic", "pool": "Main", "marketplaces": ["csfloat"],
        "buying.target_quantity": 3, "buying.max_buy_price": "15.00", "buying.budget": "60.00",
    });
    assert_eq!(serde_json::to_value(&found).unwrap(), expected);
    for fixed in ["type", "name", "pool", "starts_at", "state"] {
        assert!(!script.1.iter().any(|name| name == fixed), "{fixed}: {:?}", script.1);
    }
}

#[test]
fn limits_of_giving_are_asked_for_where_an_account_is_created_alone() {
    let answers = vec![
        ("name", "bot-1"),
        ("platform", "steam"),
        ("platform_user_id", "1"),
        ("giving_limits", "yes"),
        ("giving_limits.max_give_per_day", "200"),
    ];
    let mut script = Script(answers, Vec::new());
    let found = record(kind("accounts").unwrap(), &mut script, &known, None).unwrap();
    assert_eq!(found["giving_limits.max_give_per_day"], json!("200.00"));
    let mut script = Script(Vec::new(), Vec::new());
    let changed = record(kind("accounts").unwrap(), &mut script, &known, Some(&seen("READY", &json!(found)))).unwrap();
    assert_eq!(changed["giving_limits.max_give_per_day"], json!("200.00"));
    assert!(!script.1.iter().any(|name| name.starts_with("giving_limits")), "{:?}", script.1);
}

#[test]
fn a_list_that_cannot_be_typed_is_kept() {
    let present = json!({ "name": "A", "rules.market_hash_names": ["Case, red"], "rules.weapons": ["AK-47"] });
    let mut script = Script(Vec::new(), Vec::new());
    let found = record(kind("filter_sets").unwrap(), &mut script, &known, Some(&seen("", &present))).unwrap();
    assert_eq!(serde_json::to_value(&found).unwrap(), present);
    assert!(!script.1.iter().any(|name| name == "rules.market_hash_names"), "{:?}", script.1);
}
