//! The lists of sessions of accounts and of renewals, each with each of its filters, and what is read of those that are not over: from the
//! indexes that hold no others.

use sea_orm::{ConnectionTrait as _, DatabaseConnection};
use tradepost_domain::trading::account_session::SessionStatus;
use tradepost_domain::trading::renewal::{RenewalKind, RenewalStatus};
use tradepost_ports::store::{AccountSessionFilter, PageRequest, RecordBatch, Records as _, RenewalFilter, Store};
use tradepost_testkit::samples::{Scene, minute};

use super::explained;
use crate::support::{Heard, TestStore, column, observed, postgres, sqlite};

/// How many there are.
pub(super) const LISTS: usize = 12;
/// In the order in which [`open`] reads them.
const INDEXES_OF_OPEN: [&str; 5] =
    ["account_sessions_live_id", "account_sessions_live", "renewals_open", "renewals_due", "renewals_ending"];

pub(super) async fn list(store: &dyn Store, scene: &Scene) {
    let scope = scene.scope();
    for account_id in [None, Some(scene.samples.id())] {
        for status in [None, Some(SessionStatus::Active)] {
            let (filter, page) = (AccountSessionFilter { account_id, status }, PageRequest { before: None, limit: 50 });
            store.account_sessions().list_account_sessions(scope, filter, page).await.unwrap();
        }
        for kind in [None, Some(RenewalKind::AccessToken)] {
            for status in [None, Some(RenewalStatus::Scheduled)] {
                let filter = RenewalFilter { account_id, kind, status, due_before: None };
                store.renewals().list_renewals(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
            }
        }
    }
}

/// The statements of the lists of renewals that are due before a time.
async fn due(test: &TestStore) -> Vec<String> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    heard.take();
    let all = RenewalFilter { due_before: Some(minute(0)), ..RenewalFilter::default() };
    let kind = Some(RenewalKind::RefreshToken);
    for filter in [all, RenewalFilter { kind, account_id: Some(scene.samples.id()), ..all }] {
        let page = PageRequest { before: None, limit: 50 };
        store.renewals().list_renewals(scene.scope(), filter, page).await.unwrap();
    }
    heard.take()
}

#[tokio::test]
async fn sqlite_looks_for_what_is_due_only_in_renewals_that_are_not_over() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let statements = due(&test).await;
    assert_eq!(statements.len(), 2);
    for statement in statements {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        assert!(plan.contains("INDEX renewals_open_id (workspace_id=? AND id<?)"), "{statement}\n{plan}");
        assert!(!plan.contains("SCAN renewals") && !plan.contains("FOR ORDER BY"), "{statement}\n{plan}");
    }
}

#[tokio::test]
async fn postgres_looks_for_what_is_due_only_in_renewals_that_are_not_over() {
    let test = postgres().await;
    let db = test.place.connect().await;
    let statements = due(&test).await;
    fill(&db).await;
    for statement in statements {
        let plan = explained(&db, &statement).await;
        assert!(plan.contains(" using renewals_open_id on "), "{statement}\n{plan}");
        assert!(!plan.contains("Sort") && !plan.contains("Seq Scan"), "{statement}\n{plan}");
    }
}

/// The statements that ask for what is not over, each with the index that it must read.
async fn open(test: &TestStore) -> Vec<(&'static str, String)> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scene = Scene::founded(&store, 1).await;
    let (scope, account) = (scene.scope(), scene.samples.id());
    heard.take();
    let slice = RecordBatch { after: None, most: 200 };
    store.account_sessions().list_live_account_sessions(scope, slice).await.unwrap();
    store.account_sessions().find_live_account_session(scope, account).await.unwrap();
    store.renewals().list_open_renewals_of(scope, account).await.unwrap();
    store.renewals().list_due_renewals(scope, minute(0), 200).await.unwrap();
    store.renewals().list_ending_renewals(scope, RenewalKind::RefreshToken, minute(0), 200).await.unwrap();
    let (statements, indexes) = (heard.take(), INDEXES_OF_OPEN);
    assert_eq!(statements.len(), indexes.len());
    indexes.into_iter().zip(statements).collect()
}

#[tokio::test]
async fn sqlite_finds_sessions_and_renewals_that_are_not_over_by_indexes_of_these_alone() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    for (index, statement) in open(&test).await {
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        assert!(plan.contains(&format!("INDEX {index} (workspace_id=? AND ")), "{statement}\n{plan}");
        assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{statement}\n{plan}");
    }
}

/// Fills both tables of PostgreSQL, with one in a hundred that is not over, and counts their values: of an empty table, any index of the
/// workspace is as good as another.
async fn fill(db: &DatabaseConnection) {
    let id = |number: &str| format!("lpad(to_hex({number}), 32, '0')::uuid");
    let (workspace, own) = (id("1"), id("i"));
    for statement in [
        format!(
            "INSERT INTO account_sessions (workspace_id, id, account_id, status, uses_stored_code, automatic, guards, \
             codes_given, has_code, created_at, updated_at, version) SELECT {workspace}, {own}, {own}, \
             CASE WHEN i % 100 = 0 THEN 1 ELSE 9 END, 0, 0, '[]', 0, 0, i, i, 1 FROM generate_series(1, 5000) AS i"
        ),
        format!(
            "INSERT INTO renewals (workspace_id, id, account_id, kind, status, due_at, expires_at, attempts, \
             requested, created_at, updated_at, version) SELECT {workspace}, {own}, {own}, 1 + i / 100 % 2, \
             CASE WHEN i % 100 = 0 THEN 1 ELSE 3 END, i, i, 0, 0, i, i, 1 FROM generate_series(1, 5000) AS i"
        ),
        "ANALYZE account_sessions".to_owned(),
        "ANALYZE renewals".to_owned(),
    ] {
        db.execute_unprepared(&statement).await.unwrap();
    }
}

#[tokio::test]
async fn postgres_finds_sessions_and_renewals_that_are_not_over_by_indexes_of_these_alone() {
    let test = postgres().await;
    let db = test.place.connect().await;
    let statements = open(&test).await;
    fill(&db).await;
    for (index, statement) in statements {
        let plan = explained(&db, &statement).await;
        assert!(plan.contains(&format!(" using {index} on ")), "{statement}\n{plan}");
        assert!(!plan.contains("Sort") && !plan.contains("Filter:"), "{statement}\n{plan}");
    }
}
