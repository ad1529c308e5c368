//! Fills a SQLite file: one transaction of prepared statements. The caller has made the schema.

use rusqlite::types::{Null, ToSqlOutput};
use rusqlite::{Connection, ToSql, Transaction};
use uuid::Uuid;

use super::Database;
use crate::data::{Cell, ITEMS, Item, LINKS, PURCHASES, Purchase, Table, counters};

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Id(id) => Ok(ToSqlOutput::from(id.as_bytes().as_slice())),
            Self::Text(text) => Ok(ToSqlOutput::from(text.as_str())),
            Self::Number(number) => Ok(ToSqlOutput::from(*number)),
            Self::Nothing => Null.to_sql(),
        }
    }
}

pub(super) fn fill(database: &Database) -> anyhow::Result<()> {
    let (sizes, workspace) = (database.sizes, database.workspace);
    let mut connection = Connection::open(database.file())?;
    connection.pragma_update(None, "synchronous", "off")?;
    connection.pragma_update(None, "cache_size", -524_288)?;
    let transaction = connection.transaction()?;
    insert(&transaction, &PURCHASES, (0..sizes.purchases).map(|number| Purchase::new(number).row(workspace)))?;
    insert(&transaction, &ITEMS, (0..sizes.items()).map(|number| Item::new(number).row(workspace)))?;
    for item in (0..sizes.items()).map(Item::new) {
        insert(&transaction, &LINKS, item.link_rows(workspace))?;
    }
    let mut count = transaction.prepare(
        "INSERT INTO record_counts (workspace_id, kind, contract_id, status, n) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for ((kind, contract, status), n) in counters(sizes) {
        let contract = contract.unwrap_or(Uuid::nil());
        count.execute((workspace.as_bytes(), kind, contract.as_bytes(), status, n))?;
    }
    drop(count);
    transaction.commit()?;
    connection.pragma_update(None, "wal_checkpoint", "truncate")?;
    Ok(())
}

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    table: &Table,
    rows: impl Iterator<Item = Vec<Cell>>,
) -> anyhow::Result<()> {
    let places = vec!["?"; table.columns.len()].join(", ");
    let text = format!("INSERT INTO {} ({}) VALUES ({places})", table.name, table.columns.join(", "));
    let mut statement = transaction.prepare_cached(&text)?;
    for row in rows {
        statement.execute(rusqlite::params_from_iter(row))?;
    }
    Ok(())
}
