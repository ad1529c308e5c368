//! SQL over the records of a soak, in the dialect of its database. Every value is read as text.

use anyhow::Context as _;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use tokio_postgres::SimpleQueryMessage;

use super::site::Site;
use crate::load::connect;

/// A row of values; none is NULL.
pub(super) type Row = Vec<Option<String>>;

/// A connection of its own to the database of a soak.
pub(super) enum Records {
    Sqlite(Connection),
    Postgres(tokio_postgres::Client),
}

impl Records {
    pub(super) async fn open(site: &Site) -> anyhow::Result<Self> {
        Ok(match site.file() {
            Some(file) => Self::Sqlite(Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?),
            None => Self::Postgres(connect(&site.url).await?),
        })
    }

    /// The SQL of an id in hexadecimal digits.
    pub(super) fn hex(&self, column: &str) -> String {
        match self {
            Self::Sqlite(_) => format!("hex({column})"),
            Self::Postgres(_) => format!("upper(replace({column}::text, '-', ''))"),
        }
    }

    pub(super) async fn rows(&self, statement: &str) -> anyhow::Result<Vec<Row>> {
        match self {
            Self::Sqlite(file) => rows_of_file(file, statement),
            Self::Postgres(client) => {
                let messages = client.simple_query(statement).await?;
                let rows = messages.iter().filter_map(|message| match message {
                    SimpleQueryMessage::Row(row) => Some(row),
                    _ => None,
                });
                Ok(rows.map(|row| (0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect()).collect())
            }
        }
    }

    /// The first column.
    pub(super) async fn texts(&self, statement: &str) -> anyhow::Result<Vec<String>> {
        let rows = self.rows(statement).await?;
        rows.iter().map(|row| text(row, 0)).collect()
    }

    /// The first row, of numbers. A sum of no rows counts as 0.
    pub(super) async fn numbers(&self, statement: &str) -> anyhow::Result<Vec<i64>> {
        let rows = self.rows(statement).await?;
        let row = rows.first().context("a statement returned no row")?;
        row.iter().map(|cell| cell.as_deref().map_or(Ok(0), |number| Ok(number.parse()?))).collect()
    }
}

/// A value that is not NULL.
pub(super) fn text(row: &Row, at: usize) -> anyhow::Result<String> {
    row.get(at).cloned().flatten().with_context(|| format!("column {at} is NULL"))
}

fn rows_of_file(file: &Connection, statement: &str) -> anyhow::Result<Vec<Row>> {
    let mut prepared = file.prepare(statement)?;
    let columns = prepared.column_count();
    let mut rows = prepared.query([])?;
    let mut read = Vec::new();
    while let Some(row) = rows.next()? {
        let cells = (0..columns).map(|at| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => None,
                ValueRef::Integer(number) => Some(number.to_string()),
                ValueRef::Real(number) => Some(number.to_string()),
                ValueRef::Text(text) => Some(String::from_utf8(text.to_vec())?),
                ValueRef::Blob(_) => anyhow::bail!("{statement} selects bytes"),
            })
        });
        read.push(cells.collect::<anyhow::Result<Row>>()?);
    }
    Ok(read)
}
