//! The PostgreSQL database that data is moved into, on one connection.

use std::collections::BTreeMap;

use futures::stream::BoxStream;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgCopyIn};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Postgres, Transaction};
use tradepost_ports::store::StoreError;

use super::MoveError;
use super::state::{State, States};
use super::table::{Form, MovedTable};
use super::tuple::Digest;
use crate::classify::{DbOperation, of_sqlx};
use crate::migrate::MOVING;
use crate::postgres::Found;
use crate::settings::PostgresSettings;

/// The key of the lock: `tradepmv` in ASCII.
const LOCK: i64 = 0x7472_6164_6570_6d76;
/// Building an index takes as long as it takes, and a chunk that is lost with the server is copied again.
const SESSION: &str = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN \
    ('statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout'); \
    SET lock_timeout = '60s'; SET synchronous_commit = off; SET client_encoding = 'UTF8'";
const TABLES: &str = "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' \
    AND relname NOT IN ('schema_migrations', 'moved_tables', 'moved_indexes') ORDER BY relname";
const COLUMNS: &str = "SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns \
    WHERE table_schema = current_schema() AND table_name = ANY ($1) ORDER BY table_name, ordinal_position";
/// Indexes that no key and no constraint needs.
const INDEXES: &str = "SELECT c.relname::text, pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint n WHERE n.conindid = i.indexrelid)";
const STATE_TABLES: &str = "CREATE TABLE moved_tables (table_name text PRIMARY KEY, rows bigint NOT NULL, digest bytea NOT NULL, \
    is_done boolean NOT NULL); CREATE TABLE moved_indexes (name text PRIMARY KEY, definition text NOT NULL)";
const SAVE: &str = "INSERT INTO moved_tables (table_name, rows, digest, is_done) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (table_name) DO UPDATE SET rows = $2, digest = $3, is_done = $4";
/// A table that a migration writes a row into.
const WRITTEN_BY_MIGRATIONS: &str = "audit_began";
/// Positions go on after the last one.
const POSITIONS: &str =
    "SELECT setval(pg_get_serial_sequence('transition_places', 'position'), max(position)) FROM transition_places";

/// Whether the database was prepared now, or by a move that was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prepared {
    Now,
    Earlier,
}

pub(super) struct Target {
    connection: PgConnection,
    options: PgConnectOptions,
}

/// Rows that one commit copies.
pub(super) struct Chunk<'a>(Transaction<'a, Postgres>);

impl Target {
    /// Connects, and takes the right to move data into the database.
    pub(super) async fn open(settings: &PostgresSettings) -> Result<Self, MoveError> {
        let address = settings.of_sessions().address().map_err(MoveError::Target)?;
        let Found { connection, options, .. } = address.find().await.map_err(MoveError::Target)?;
        let mut target = Self { connection, options };
        target.begin_session().await?;
        let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
        let is_ours: bool = lock.fetch_one(&mut target.connection).await.map_err(failed)?;
        if is_ours { Ok(target) } else { Err(MoveError::Busy) }
    }

    /// A second connection to the same server.
    pub(super) async fn reader(&self) -> Result<Self, MoveError> {
        let connection = self.options.connect().await.map_err(failed)?;
        let mut target = Self { connection, options: self.options.clone() };
        target.begin_session().await?;
        Ok(target)
    }

    async fn begin_session(&mut self) -> Result<(), MoveError> {
        sqlx::raw_sql(SESSION).execute(&mut self.connection).await.map(drop).map_err(failed)
    }

    /// Marks the schema and takes away what makes copying slow (indexes, triggers, vacuuming), unless an earlier move did.
    pub(super) async fn prepare(&mut self) -> Result<Prepared, MoveError> {
        let marked =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM schema_migrations WHERE version = $1)").bind(MOVING);
        if marked.fetch_one(&mut self.connection).await.map_err(failed)? {
            return Ok(Prepared::Earlier);
        }
        let mut transaction = self.connection.begin().await.map_err(failed)?;
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut *transaction).await.map_err(failed)?;
        // Earlier writes of other sessions are visible, and there are no later ones.
        run(&mut transaction, format!("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", tables.join(", "))).await?;
        for table in &tables {
            check_empty(&mut transaction, table).await?;
            run(&mut transaction, format!("ALTER TABLE {table} DISABLE TRIGGER USER, SET (autovacuum_enabled = off)"))
                .await?;
        }
        run(&mut transaction, format!("TRUNCATE {WRITTEN_BY_MIGRATIONS}")).await?;
        run(&mut transaction, STATE_TABLES.to_owned()).await?;
        run(&mut transaction, format!("INSERT INTO moved_indexes {INDEXES}")).await?;
        let names = sqlx::query_scalar("SELECT name FROM moved_indexes").fetch_all(&mut *transaction).await;
        let names: Vec<String> = names.map_err(failed)?;
        run(&mut transaction, format!("DROP INDEX {}", names.join(", "))).await?;
        let mark = sqlx::query("INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, 'moving', '')")
            .bind(MOVING);
        mark.execute(&mut *transaction).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(Prepared::Now)
    }

    /// The columns of each table.
    pub(super) async fn columns(&mut self) -> Result<BTreeMap<String, Vec<(String, Form)>>, MoveError> {
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut self.connection).await.map_err(failed)?;
        let columns: Vec<(String, String, String)> =
            sqlx::query_as(COLUMNS).bind(tables).fetch_all(&mut self.connection).await.map_err(failed)?;
        let mut found = BTreeMap::<_, Vec<_>>::new();
        for (table, column, kind) in columns {
            let unknown = || MoveError::Target(StoreError::Bug(format!("{table}.{column} has the type {kind}")));
            let form = Form::of_type(&kind).ok_or_else(unknown)?;
            found.entry(table).or_default().push((column, form));
        }
        Ok(found)
    }

    /// How far each table is.
    pub(super) async fn states(&mut self) -> Result<States, MoveError> {
        let text = "SELECT table_name, rows, digest, is_done FROM moved_tables";
        let rows: Vec<(String, i64, Vec<u8>, bool)> =
            sqlx::query_as(text).fetch_all(&mut self.connection).await.map_err(failed)?;
        let state = |(name, rows, digest, is_done): (String, i64, Vec<u8>, bool)| {
            let digest = Digest::from_bytes(&digest).map_err(MoveError::Target)?;
            Ok((name, State { rows: rows.unsigned_abs(), digest, is_done }))
        };
        rows.into_iter().map(state).collect()
    }

    pub(super) async fn begin_chunk(&mut self) -> Result<Chunk<'_>, MoveError> {
        self.connection.begin().await.map(Chunk).map_err(failed)
    }

    /// All rows of a table in the binary form, in the order in which the server finds them.
    pub(super) async fn copy_out(
        &mut self,
        table: &MovedTable,
    ) -> Result<BoxStream<'_, Result<impl AsRef<[u8]> + use<>, sqlx::Error>>, MoveError> {
        let text = format!("COPY {} ({}) TO STDOUT (FORMAT binary)", table.name, table.list());
        self.connection.copy_out_raw(&text).await.map_err(failed)
    }

    /// Builds the indexes that are not there.
    pub(super) async fn build_indexes(&mut self, built: impl Fn() + Send) -> Result<(), MoveError> {
        let left = sqlx::query_as("SELECT name, definition FROM moved_indexes ORDER BY name");
        let left: Vec<(String, String)> = left.fetch_all(&mut self.connection).await.map_err(failed)?;
        for (name, definition) in left {
            let mut transaction = self.connection.begin().await.map_err(failed)?;
            run(&mut transaction, definition).await?;
            let done = sqlx::query("DELETE FROM moved_indexes WHERE name = $1").bind(name);
            done.execute(&mut *transaction).await.map_err(failed)?;
            transaction.commit().await.map_err(failed)?;
            built();
        }
        Ok(())
    }

    /// Makes the database usable.
    pub(super) async fn finish(&mut self) -> Result<(), MoveError> {
        // Plans are made by the number of rows from the first statement on.
        sqlx::raw_sql("ANALYZE; SET synchronous_commit = on").execute(&mut self.connection).await.map_err(failed)?;
        let all: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut self.connection).await.map_err(failed)?;
        let mut transaction = self.connection.begin().await.map_err(failed)?;
        for table in all {
            run(&mut transaction, format!("ALTER TABLE {table} ENABLE TRIGGER USER, RESET (autovacuum_enabled)"))
                .await?;
        }
        run(&mut transaction, POSITIONS.to_owned()).await?;
        run(&mut transaction, format!("DELETE FROM schema_migrations WHERE version = {MOVING}")).await?;
        run(&mut transaction, "DROP TABLE moved_tables, moved_indexes".to_owned()).await?;
        let committed = transaction.commit().await;
        committed.map_err(|error| MoveError::Target(of_sqlx(&error, DbOperation::Commit)))
    }
}

impl Chunk<'_> {
    pub(super) async fn copy_in(&mut self, table: &MovedTable) -> Result<PgCopyIn<&mut PgConnection>, MoveError> {
        let text = format!("COPY {} ({}) FROM STDIN (FORMAT binary)", table.name, table.list());
        self.0.copy_in_raw(&text).await.map_err(failed)
    }

    pub(super) async fn commit(mut self, table: &MovedTable, state: &State) -> Result<(), MoveError> {
        let rows = i64::try_from(state.rows).unwrap_or(i64::MAX);
        let save = sqlx::query(SAVE).bind(&table.name).bind(rows).bind(state.digest.to_bytes()).bind(state.is_done);
        save.execute(&mut *self.0).await.map_err(failed)?;
        self.0.commit().await.map_err(failed)
    }
}

async fn check_empty(connection: &mut PgConnection, table: &str) -> Result<(), MoveError> {
    if table == WRITTEN_BY_MIGRATIONS {
        return Ok(());
    }
    let text = AssertSqlSafe(format!("SELECT EXISTS (SELECT 1 FROM {table})"));
    let has_rows: bool = sqlx::query_scalar(text).fetch_one(connection).await.map_err(failed)?;
    if has_rows { Err(MoveError::NotEmpty(table.to_owned())) } else { Ok(()) }
}

async fn run(connection: &mut PgConnection, text: String) -> Result<(), MoveError> {
    sqlx::raw_sql(AssertSqlSafe(text)).execute(connection).await.map(drop).map_err(failed)
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
pub(super) fn failed(error: sqlx::Error) -> MoveError {
    MoveError::Target(of_sqlx(&error, DbOperation::Statement))
}
