//! How what lies in a time is found: by an index of times, however many ids there are.

use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::contracts::ledger::report::{Grouping, ReportFilter, Span, ZoneDays};
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::store::{
    AuditFilter, FlowQuery, GivenQuery, LedgerFilter, PageRequest, Records as _, ReportQuery, TransitionFilter,
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

/// The statements of a report and of a series whose days begin and end with those of a time zone.
async fn reports_of_a_zone(test: &TestStore) -> Vec<String> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (filter, zone) = (ReportFilter::default(), ZoneDays::of(TimeZone::new("Asia/Shanghai").unwrap()));
    // January of 2026.
    let (from_day, to_day) = (20_454, 20_485);
    heard.take();
    for grouping in [Grouping::Nothing, Grouping::Pool, Grouping::SellMarketplace] {
        let (breakdown, starts) = (filter.breakdown(grouping).unwrap(), zone.starts([from_day, to_day]));
        let query = ReportQuery { breakdown, grouping, filter: &filter, from_day, to_day, starts: &starts };
        store.reports().sum_figures(scene.scope(), query, 100).await.unwrap();
        store.reports().list_changes(scene.scope(), query, Span::Month).await.unwrap();
    }
    heard.take()
}

#[tokio::test]
async fn sqlite_finds_what_lies_between_two_midnights_by_an_index_of_times() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let statements = reports_of_a_zone(&test).await;
    assert_eq!(statements.len(), 6);
    for statement in statements {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        let index = "e USING INDEX ledger_entries_at (workspace_id=? AND at>? AND at<?)";
        let is_scanned = plan.contains("SCAN e") || plan.contains("SCAN ledger");
        assert!(plan.contains(index) && !is_scanned, "{statement}\n{plan}");
    }
}

#[tokio::test]
async fn postgres_finds_what_lies_between_two_midnights_by_an_index() {
    let test = postgres().await;
    let db = test.place.connect().await;
    for statement in reports_of_a_zone(&test).await {
        let plan = explained(&db, &statement).await;
        // Of an empty table another index has as little to read.
        assert!(plan.contains("using ledger_entries_") && !plan.contains("Seq Scan"), "{statement}\n{plan}");
    }
}
