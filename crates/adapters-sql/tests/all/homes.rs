//! Homes: a row belongs to a workspace or to an audit log, and a statement reads and changes the rows of one. A database that is split
//! by homes answers such a statement from one place. What does otherwise is listed with its reason, and no list may grow.

mod exceptions;
mod schema;
mod statement;

use std::collections::BTreeSet;

use sea_orm::DatabaseConnection;
use tokio::runtime::Runtime;

use crate::support::{Place, column};
use exceptions::{EXCEPTIONS, GUARDS};
use statement::{HomeColumns, guarded_elsewhere, scattered};

/// The tables whose rows have a home, with the column that names it.
const HOMES: &str = "WITH homes AS (SELECT c.oid AS id, c.relname::text AS name, a.attnum AS number, \
    a.attname::text AS home FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped \
    AND (a.attname IN ('workspace_id', 'log_id') OR c.relname = 'workspaces' AND a.attname = 'id'))";

async fn home_columns(db: &DatabaseConnection) -> HomeColumns {
    let found = column(db, 0, &format!("{HOMES} SELECT name || ' ' || home FROM homes")).await;
    let pairs = found.iter().filter_map(|line| line.split_once(' '));
    pairs.map(|(table, column)| (table.to_owned(), column.to_owned())).collect()
}

/// The exceptions that a statement is.
fn listed(text: &str) -> impl Iterator<Item = &'static str> {
    EXCEPTIONS.iter().map(|(part, _)| *part).filter(move |part| text.contains(*part))
}

/// Whether rows of a table without a home may be guarded by a commit into one.
fn may_be_guarded(table: &str) -> bool {
    GUARDS.iter().any(|(listed, _)| *listed == table)
}

/// Asserts that every statement that was heard is of one home, or an exception.
pub(crate) fn judge(runtime: &Runtime, place: &Place, heard: Vec<String>) {
    let columns = runtime.block_on(async { home_columns(&place.connect().await).await });
    for text in heard.into_iter().collect::<BTreeSet<String>>() {
        let tables = scattered(&text, &columns);
        assert!(
            tables.is_empty() || listed(&text).next().is_some(),
            "it does not say whose rows of {tables:?} it means; compare the column of the home by equality: {text}"
        );
        let guarded = guarded_elsewhere(&text, &columns);
        assert!(
            guarded.iter().all(|table| may_be_guarded(table)),
            "a commit into a home must not depend on rows of {guarded:?}, which have none: {text}"
        );
    }
}
