//! A slice of a check: a few statements that see one moment, read-only and short. On SQLite the writer continues in parallel; on
//! PostgreSQL they hold no lock that a writer waits for, and are over before old rows could pile up.

use sea_orm::{
    AccessMode, ConnectionTrait as _, DatabaseTransaction, DbErr, IsolationLevel, QueryResult, Statement,
    TransactionOptions, TransactionTrait as _, Value,
};
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::rows::cell;
use crate::store::SqlStore;

/// Slices use keys. Without this, the server reads a table as a whole when it expects that most of it is wanted.
const BY_KEYS: &str =
    "SET LOCAL statement_timeout = 0; SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_custom_plan";

/// Statements that see one moment.
pub(super) struct Slice(DatabaseTransaction);

impl SqlStore {
    pub(super) async fn slice(&self) -> StoreResult<Slice> {
        self.begin_slice().await.map_err(|error| classify(&error, DbOperation::Statement))
    }

    async fn begin_slice(&self) -> Result<Slice, DbErr> {
        if self.is_sqlite() {
            return self.reads().begin().await.map(Slice);
        }
        let options = TransactionOptions {
            isolation_level: Some(IsolationLevel::RepeatableRead),
            access_mode: Some(AccessMode::ReadOnly),
            ..TransactionOptions::default()
        };
        let transaction = self.reads().begin_with_options(options).await?;
        transaction.execute_unprepared(BY_KEYS).await?;
        Ok(Slice(transaction))
    }

    /// One statement alone.
    pub(super) async fn patiently(&self, text: &str, values: Vec<Value>) -> StoreResult<Vec<QueryResult>> {
        let slice = self.slice().await?;
        let rows = slice.rows(text, values).await?;
        slice.end().await?;
        Ok(rows)
    }

    /// The least id of a home that is more than another one, of those that have rows in one of these tables.
    pub(super) async fn next_home(&self, tables: &[&str], column: &str, after: Uuid) -> StoreResult<Option<Uuid>> {
        let parts: Vec<String> = tables
            .iter()
            .map(|table| {
                format!("SELECT * FROM (SELECT {column} AS home FROM {table} WHERE {column} > $1 ORDER BY {column} LIMIT 1) {table}")
            })
            .collect();
        let text = format!("SELECT home FROM ({}) homes ORDER BY home LIMIT 1", parts.join(" UNION ALL "));
        let rows = self.patiently(&text, vec![after.into()]).await?;
        rows.first().map(|row| cell(row, 0)).transpose()
    }
}

impl Slice {
    pub(super) async fn rows(&self, text: &str, values: Vec<Value>) -> StoreResult<Vec<QueryResult>> {
        let statement = Statement::from_sql_and_values(self.0.get_database_backend(), text, values);
        self.0.query_all_raw(statement).await.map_err(|error| classify(&error, DbOperation::Statement))
    }

    pub(super) async fn row(&self, text: &str, values: Vec<Value>) -> StoreResult<Option<QueryResult>> {
        self.rows(text, values).await.map(|rows| rows.into_iter().next())
    }

    pub(super) async fn end(self) -> StoreResult<()> {
        self.0.commit().await.map_err(|error| classify(&error, DbOperation::Statement))
    }
}
