//! How what lies in a time is found: by an index of times, however many ids there are.

use tradepost_domain::transition::SubjectKind;
use tradepost_ports::store::{
    AuditFilter, FlowQuery, GivenQuery, LedgerFilter, PageRequest, Records as _, TransitionFilter,
};
use tradepost_testkit::samples::{Scene, minute, text};

use super::explained;
use crate::support::{Heard, TestStore, column, observed, postgres, sqlite};

/// The statements that ask for what lies in a time, each with the index of times that it must read.
async fn of_time(test: &TestStore) -> Vec<(&'static str, String)> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, mut statements) = (scene.scope(), Vec::new());
    for (from, to) in [(Some(minute(0)), Some(minute(9))), (Some(minute(0)), None), (None, Some(minute(9)))] {
        heard.take();
        let filter = LedgerFilter { from, to, ..LedgerFilter::default() };
        store.ledger().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        let filter = TransitionFilter { kinds: &[SubjectKind::Purchase], subject_id: None, from, to };
        store.transitions().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        let filter = AuditFilter { from, to, ..AuditFilter::default() };
        store.audit_logs().list_events(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
        let indexes = ["ledger_entries_at", "transitions_at", "audit_events_at"];
        statements.extend(indexes.into_iter().zip(heard.take()));
    }
    heard.take();
    store
        .ledger()
        .sum_flow(scope, FlowQuery { marketplace: &text("csfloat"), since: minute(0), late: minute(1) })
        .await
        .unwrap();
    statements.push(("ledger_entries_at", heard.take().remove(0)));
    statements
}

#[tokio::test]
async fn sqlite_finds_what_lies_in_a_time_by_indexes_of_times() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let statements = of_time(&test).await;
    assert_eq!(statements.len(), 10);
    for (index, statement) in statements {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        let equal = if index == "transitions_at" { "workspace_id=? AND subject_kind=?" } else { "=?" };
        assert!(plan.contains(index) && plan.contains(&format!("{equal} AND at")), "{statement}\n{plan}");
        assert!(!plan.contains("SCAN"), "{statement}\n{plan}");
    }
}

#[tokio::test]
async fn postgres_finds_what_lies_in_a_time_by_indexes() {
    let test = postgres().await;
    let db = test.place.connect().await;
    for (index, statement) in of_time(&test).await {
        let plan = explained(&db, &statement).await;
        // In the order of an empty table's key there is as little to read.
        let in_order = plan.contains("Index") && !plan.contains("Sort");
        assert!(plan.contains(index) || in_order, "{statement}\n{plan}");
        assert!(!plan.contains("Seq Scan"), "{statement}\n{plan}");
    }
}

/// The statement that adds up what an account gave lately.
async fn sum_of_given(test: &TestStore) -> String {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    heard.take();
    let query = GivenQuery { account_name: &text("trader-1"), at: minute(0), except: None, waiting_up_to: None };
    store.trade_offers().sum_given(scene.scope(), query).await.unwrap();
    heard.take().remove(0)
}

#[tokio::test]
async fn sqlite_adds_up_what_an_account_gave_by_an_index_of_times() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let statement = sum_of_given(&test).await;
    let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
    let index = "trade_offers_given (workspace_id=? AND account_name=? AND given_at>?)";
    assert!(plan.contains(index) && !plan.contains("SCAN"), "{statement}\n{plan}");
}

#[tokio::test]
async fn postgres_adds_up_what_an_account_gave_by_an_index() {
    let test = postgres().await;
    let db = test.place.connect().await;
    let statement = sum_of_given(&test).await;
    let plan = explained(&db, &statement).await;
    assert!(plan.contains("Index") && !plan.contains("Seq Scan"), "{statement}\n{plan}");
}
