//! Plans carried out on a workspace that answers what a test wrote down.

use std::cell::RefCell;
use std::collections::VecDeque;

use serde_json::{Value, json};
use time::OffsetDateTime;

use super::super::document::check;
use super::super::kinds::kind;
use super::super::plan::plan;
use super::super::tree::{Syntax, read};
use super::*;

/// What a write comes to.
type Written = Result<(Value, bool), &'static str>;

#[derive(Default)]
struct Scripted {
    /// The outcome of each write, in order: an answer and whether it is replayed, or the reason of a rejection.
    outcomes: RefCell<VecDeque<Written>>,
    /// The answer of every read.
    found: Value,
    /// Operation, request and key of each write.
    calls: RefCell<Vec<(String, Value, String)>>,
}

impl Workspace for Scripted {
    async fn read(&self, _operation: &str, _request: Value) -> Outcome<Value> {
        Ok(self.found.clone())
    }

    async fn write(&self, operation: &str, request: Value, key: &str) -> Outcome<(Value, bool)> {
        self.calls.borrow_mut().push((operation.to_owned(), request, key.to_owned()));
        let outcome = self.outcomes.borrow_mut().pop_front().unwrap_or(Err("UNEXPECTED"));
        outcome.map_err(|reason| Failure::new(Exit::Failed, "rejected").with_reason(Some(reason.to_owned())))
    }

    async fn every(&self, _list: &str, _field: &str) -> Outcome<Vec<Value>> {
        Ok(Vec::new())
    }
}

fn pool(id: &str, version: u32, budget: &str) -> Value {
    let limits = json!({ "budgetCents": budget });
    json!({ "id": id, "version": version.to_string(), "name": "Main", "status": "POOL_STATUS_ACTIVE", "limits": limits })
}

/// Carries out a file of pools on a workspace with these pools.
async fn run(text: &str, there: &[Value], outcomes: Vec<Written>, found: Value) -> (Scripted, Outcome) {
    let workspace = Scripted { outcomes: RefCell::new(outcomes.into()), found, ..Scripted::default() };
    let mut current = Current::default();
    current.add(kind("pools").unwrap(), there);
    let file = check(&read(text, Syntax::Toml).unwrap()).ok().unwrap();
    let plan = plan(&file, &current, OffsetDateTime::UNIX_EPOCH).ok().unwrap();
    let done = carry_out(&workspace, &current, &plan).await;
    (workspace, done)
}

const MAIN: &str = "[[pools]]\nname = \"Main\"\nlimits = { budget = \"10.00\" }\n";

fn answer(pool: &Value, is_replayed: bool) -> (Value, bool) {
    (json!({ "pool": pool }), is_replayed)
}

#[tokio::test]
async fn the_same_creation_has_the_same_key_and_another_one_another() {
    let keys = |text: &'static str| async move {
        let (workspace, done) = run(text, &[], vec![Ok(answer(&pool("p1", 1, "1000"), false))], Value::Null).await;
        done.unwrap();
        workspace.calls.into_inner().remove(0).2
    };
    let other = "[[pools]]\nname = \"Other\"\nlimits = { budget = \"10.00\" }\n";
    assert_eq!(keys(MAIN).await, keys(MAIN).await);
    assert_ne!(keys(MAIN).await, keys(other).await);
}

#[tokio::test]
async fn a_replayed_creation_counts_only_while_its_record_exists() {
    let replayed = || Ok(answer(&pool("p1", 1, "1000"), true));
    let exists = json!({ "pools": [pool("p1", 4, "1000")] });
    let (workspace, done) = run(MAIN, &[], vec![replayed()], exists).await;
    done.unwrap();
    assert_eq!(workspace.calls.borrow().len(), 1);
    let outcomes = vec![replayed(), Ok(answer(&pool("p2", 1, "1000"), false))];
    let (workspace, done) = run(MAIN, &[], outcomes, json!({ "missingIds": ["p1"] })).await;
    done.unwrap();
    let calls = workspace.calls.borrow();
    assert_eq!(calls.len(), 2);
    assert_ne!(calls[0].2, calls[1].2);
}

#[tokio::test]
async fn a_change_is_repeated_at_a_newer_version_if_only_other_figures_changed() {
    let outcomes = || vec![Err("VERSION_MISMATCH"), Ok(answer(&pool("p1", 6, "1000"), false))];
    let moved = json!({ "pools": [pool("p1", 5, "900")] });
    let (workspace, done) = run(MAIN, &[pool("p1", 2, "900")], outcomes(), moved).await;
    done.unwrap();
    let versions: Vec<Value> = workspace.calls.borrow().iter().map(|call| call.1["expectedVersion"].clone()).collect();
    assert_eq!(versions, ["2", "5"]);
    let changed = json!({ "pools": [pool("p1", 5, "800")] });
    let (workspace, done) = run(MAIN, &[pool("p1", 2, "900")], outcomes(), changed).await;
    assert!(done.unwrap_err().has_reason("VERSION_MISMATCH"));
    assert_eq!(workspace.calls.borrow().len(), 1);
}

#[tokio::test]
async fn nothing_is_called_after_a_call_that_failed() {
    let text = format!("{MAIN}[[pools]]\nname = \"Other\"\nlimits = {{ budget = \"10.00\" }}\n");
    let (workspace, done) = run(&text, &[], vec![Err("PERMISSION_DENIED")], Value::Null).await;
    assert!(done.is_err());
    assert_eq!(workspace.calls.borrow().len(), 1);
}

#[tokio::test]
async fn a_pool_is_paused_before_its_limits_change() {
    let text = format!("{MAIN}state = \"paused\"\n");
    let paused = json!({ "id": "p1", "version": "3", "name": "Main", "status": "POOL_STATUS_PAUSED" });
    let outcomes = vec![Ok(answer(&paused, false)), Ok(answer(&pool("p1", 4, "1000"), false))];
    let (workspace, done) = run(&text, &[pool("p1", 2, "900")], outcomes, Value::Null).await;
    done.unwrap();
    let calls: Vec<(String, Value)> =
        workspace.calls.borrow().iter().map(|call| (call.0.clone(), call.1["expectedVersion"].clone())).collect();
    let service = "contracts.v1.Contracts";
    assert_eq!(calls, [(format!("{service}/PausePool"), json!("2")), (format!("{service}/UpdatePool"), json!("3"))]);
}

#[test]
fn a_contract_that_is_suspended_at_once_is_reported() {
    let text = "[[contracts]]\nname = \"AKs\"\napproval = \"manual\"\nstate = \"active\"\nselling = { floor_price = \"5.00\" }\n";
    let file = check(&read(text, Syntax::Toml).unwrap()).ok().unwrap();
    let current = Current::default();
    let plan = plan(&file, &current, OffsetDateTime::UNIX_EPOCH).ok().unwrap();
    let answered = |status: &str| current.read(kind("contracts").unwrap(), &json!({ "status": status }));
    let said = warning(&plan.records[0], &answered("CONTRACT_STATUS_SUSPENDED")).unwrap();
    assert!(said.ends_with("does not trade\n  try: tradepost contracts show \"AKs\""), "{said}");
    assert_eq!(warning(&plan.records[0], &answered("CONTRACT_STATUS_ACTIVE")), None);
}
