//! The two schemas say the same: every table has the same columns in both databases, and those that may be empty in one may
//! be empty in the other.

use std::collections::BTreeSet;

use crate::support::{column, postgres, sqlite};

/// Columns that only PostgreSQL needs, for what SQLite does in other ways.
const ONLY_ON_POSTGRES: [&str; 12] = [
    "inventory_items.replaced_asset_id YES",
    "nodes.id NO",
    "nodes.seen_at NO",
    "rate_limits.class NO",
    "rate_limits.full_at NO",
    "rate_limits.partition NO",
    "record_counts.slot NO",
    "trading_processes.id NO",
    "trading_processes.seen_at NO",
    "transitions_waiting.subject_kind NO",
    "transitions_waiting.transition_id NO",
    "transitions_waiting.workspace_id NO",
];
/// Nor are observations numbered anywhere else.
const ONLY_ON_SQLITE: &str = "market_observations.number YES";

#[tokio::test]
async fn both_databases_have_the_same_columns() {
    let (sqlite, postgres) = (sqlite().await, postgres().await);
    let on_sqlite = column(
        &sqlite.place.connect().await,
        0,
        "SELECT t.name || '.' || c.name || CASE c.\"notnull\" WHEN 0 THEN ' YES' ELSE ' NO' END \
         FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'",
    )
    .await;
    let on_postgres = column(
        &postgres.place.connect().await,
        0,
        "SELECT table_name || '.' || column_name || ' ' || is_nullable FROM information_schema.columns \
         WHERE table_schema = 'public'",
    )
    .await;
    let mut expected: BTreeSet<String> = on_sqlite.into_iter().collect();
    assert!(expected.remove(ONLY_ON_SQLITE));
    expected.extend(ONLY_ON_POSTGRES.map(str::to_owned));
    assert_eq!(on_postgres.into_iter().collect::<BTreeSet<_>>(), expected);
}
