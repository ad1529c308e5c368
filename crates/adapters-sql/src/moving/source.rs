//! The SQLite file, read on one connection as it is at one moment. The connection has the right to write, so that no other process does,
//! under whatever name it opened the file.

use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};
use tradepost_ports::store::{StoreError, StoreResult};

use super::table::{MovedTable, SourceTable};
use crate::classify::{DbOperation, of_sqlx};
use crate::settings::SqliteSettings;

/// Rows that SQLite's thread may run ahead.
const ROWS_AHEAD: usize = 512;

const TABLES: &str = "SELECT name, wr FROM pragma_table_list WHERE type = 'table' AND schema = 'main' \
    AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'schema_migrations'";
const COLUMNS: &str = "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid";

pub(super) struct Source {
    connection: SqliteConnection,
}

impl Source {
    pub(super) async fn open(settings: &SqliteSettings) -> StoreResult<Self> {
        let options = SqliteConnectOptions::new()
            .filename(&settings.path)
            .create_if_missing(false)
            .busy_timeout(settings.busy_timeout)
            .row_buffer_size(ROWS_AHEAD)
            .disable_statement_logging();
        let mut connection = options.connect().await.map_err(failed)?;
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut connection).await.map_err(failed)?;
        Ok(Self { connection })
    }

    /// Lets other processes write again.
    pub(super) async fn close(self) -> StoreResult<()> {
        self.connection.close().await.map_err(failed)
    }

    pub(super) async fn tables(&mut self) -> StoreResult<Vec<SourceTable>> {
        let mut tables = Vec::new();
        let names: Vec<(String, bool)> =
            sqlx::query_as(TABLES).fetch_all(&mut self.connection).await.map_err(failed)?;
        for (name, is_without_rowid) in names {
            let columns: Vec<(String, i64)> =
                sqlx::query_as(COLUMNS).bind(&name).fetch_all(&mut self.connection).await.map_err(failed)?;
            let mut key: Vec<_> = columns.iter().filter(|(_, place)| *place > 0).collect();
            key.sort_by_key(|(_, place)| *place);
            let key: Vec<&str> = key.into_iter().map(|(name, _)| name.as_str()).collect();
            let order = if is_without_rowid { key.join(", ") } else { "rowid".to_owned() };
            let columns = columns.iter().map(|(name, _)| name.clone()).collect();
            tables.push(SourceTable { name, columns, order });
        }
        Ok(tables)
    }

    /// How many rows these tables have.
    pub(super) async fn count(&mut self, tables: &[MovedTable]) -> StoreResult<u64> {
        let mut all = 0;
        for table in tables {
            let text = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name));
            let row = sqlx::query(text).fetch_one(&mut self.connection).await.map_err(failed)?;
            all += row.try_get::<i64, _>(0).map_err(failed)?.unsigned_abs();
        }
        Ok(all)
    }

    /// The rows of a table after so many of them.
    pub(super) fn rows(&mut self, table: &MovedTable, after: u64) -> BoxStream<'_, StoreResult<SqliteRow>> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let rows = sqlx::query(AssertSqlSafe(table.select.clone())).bind(after).fetch(&mut self.connection);
        Box::pin(rows.map_err(failed))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn failed(error: sqlx::Error) -> StoreError {
    of_sqlx(&error, DbOperation::Statement)
}
