//! How changes of status are read and counted, of one kind of records and of several: each kind from one index, at most a page of it.

use sea_orm::ConnectionTrait as _;
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::store::{PageRequest, Records as _, TransitionFilter};
use tradepost_testkit::samples::{Scene, minute};

use super::explained;
use crate::support::{Heard, TestStore, column, observed, postgres, sqlite};

const KINDS: &[SubjectKind] = &[SubjectKind::Purchase, SubjectKind::InventoryItem, SubjectKind::Contract];
const BY_ID: &str = "transitions_id";
const BY_TIME: &str = "transitions_at";

/// A statement, and the index that it must read once for each of so many kinds.
struct Read {
    statement: String,
    index: &'static str,
    kinds: usize,
}

impl Read {
    /// A page is at most so many rows of each kind, and of several kinds as many of all.
    fn limits(&self) -> usize {
        if self.kinds == 1 { 1 } else { self.kinds + 1 }
    }
}

/// The statements that list and count changes of one kind and of several, at any time and in a time.
async fn reads(test: &TestStore) -> Vec<Read> {
    let heard = Heard::default();
    let store = observed(test, heard.observer()).await;
    let scope = Scene::founded(&store, 1).await.scope();
    let mut reads = Vec::new();
    heard.take();
    for kinds in [&KINDS[..1], KINDS] {
        for (index, from, to) in [(BY_ID, None, None), (BY_TIME, Some(minute(0)), Some(minute(9)))] {
            let filter = TransitionFilter { kinds, subject_id: None, from, to };
            store.transitions().list(scope, filter, PageRequest { before: None, limit: 50 }).await.unwrap();
            store.transitions().count(scope, filter).await.unwrap();
            let statements = heard.take().into_iter();
            reads.extend(statements.map(|statement| Read { statement, index, kinds: kinds.len() }));
        }
    }
    reads
}

#[tokio::test]
async fn sqlite_reads_a_page_of_each_kind_of_changes_from_one_index() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let reads = reads(&test).await;
    assert_eq!(reads.len(), 8);
    for read in reads {
        let (statement, index) = (&read.statement, read.index);
        let plan = column(&db, 3, &format!("EXPLAIN QUERY PLAN {statement}")).await.join("\n");
        let range = if index == BY_ID { "id<?" } else { "at>? AND at<?" };
        let search = format!("INDEX {index} (workspace_id=? AND subject_kind=? AND {range})");
        assert_eq!(plan.matches(&search).count(), read.kinds, "{statement}\n{plan}");
        assert!(!plan.contains("SCAN transitions"), "{statement}\n{plan}");
        assert_eq!(statement.matches("LIMIT $3").count(), read.limits(), "{statement}");
        // In the order of ids a page is the beginning of the index. What lies in a time is sorted before.
        let is_sorted = plan.contains(&format!("{search}\nUSE TEMP B-TREE"));
        assert_eq!(is_sorted, index == BY_TIME, "{statement}\n{plan}");
    }
}

#[tokio::test]
async fn postgres_reads_a_page_of_each_kind_of_changes_from_one_index() {
    let test = postgres().await;
    let db = test.place.connect().await;
    let reads = reads(&test).await;
    // Of an empty table any index of the workspace is as good as another.
    let id = |number: &str| format!("lpad(to_hex({number}), 32, '0')::uuid");
    let (workspace, own) = (id("1"), id("i"));
    let fill = format!(
        "INSERT INTO transitions (workspace_id, subject_kind, subject_id, version, id, to_status, cause, actor_kind, at) \
         SELECT {workspace}, 1 + i % 9, {own}, 1, {own}, 'PAID', 'a test', 3, i FROM generate_series(1, 5000) AS i"
    );
    for statement in [fill.as_str(), "ANALYZE transitions"] {
        db.execute_unprepared(statement).await.unwrap();
    }
    assert_eq!(reads.len(), 8);
    for read in reads {
        let (statement, index) = (&read.statement, read.index);
        let plan = explained(&db, statement).await;
        assert_eq!(plan.matches(&format!(" using {index} on ")).count(), read.kinds, "{statement}\n{plan}");
        assert!(!plan.contains("Seq Scan") && !plan.contains("Filter:"), "{statement}\n{plan}");
        assert!(plan.matches("Limit").count() >= read.limits(), "{statement}\n{plan}");
    }
}
