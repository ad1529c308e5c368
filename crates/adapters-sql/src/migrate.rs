//! Migrations: plain SQL files of each database, part of the program, applied once each, in order, under a lock. What was
//! applied is kept with its checksum; a file that changed afterwards, or a schema that is newer than the program, is refused.

mod postgres;
mod sqlite;

use std::path::PathBuf;

use aws_lc_rs::digest::{SHA256, digest};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement};
use tradepost_ports::store::{StoreError, StoreResult};

use crate::classify::{DbOperation, classify};
use crate::settings::DatabaseSettings;
use crate::store::{Commits, SqlStore};

/// One file.
struct Migration {
    version: i64,
    name: &'static str,
    sql: &'static str,
}

/// The files of a database, in order; each has the same ones.
macro_rules! migrations {
    ($database:literal) => {
        migrations! { $database:
            1 "0001" "accounts",
            2 "0002" "trading",
            3 "0003" "sessions",
            4 "0004" "key_networks",
            5 "0005" "nodes",
            6 "0006" "outbox",
            7 "0007" "profiles",
            8 "0008" "deleted_workspaces",
            9 "0009" "account_links",
            10 "0010" "executions",
            11 "0011" "factors",
            12 "0012" "passkey_sign_ins",
            13 "0013" "usage",
            14 "0014" "leftovers",
            15 "0015" "workspace_keys",
            16 "0016" "reminders",
            17 "0017" "audit",
            18 "0018" "guesses",
            19 "0019" "workspace_settings",
            20 "0020" "invitation_tokens",
            21 "0021" "filter_sets",
            22 "0022" "former_root_secrets",
            23 "0023" "oversight",
            24 "0024" "booked_fees",
            25 "0025" "intents",
            26 "0026" "pools",
            27 "0027" "markets",
            28 "0028" "profit",
            29 "0029" "leases",
            30 "0030" "trading_accounts",
            31 "0031" "remediations",
            32 "0032" "offers",
            33 "0033" "providers",
            34 "0034" "prices_then",
            35 "0035" "trade_offers",
            36 "0036" "following",
            37 "0037" "candles",
            38 "0038" "items",
            39 "0039" "months",
            40 "0040" "baselines",
            41 "0041" "currencies",
            42 "0042" "names",
            43 "0043" "decisions",
            44 "0044" "places",
            45 "0045" "approvals",
            46 "0046" "code_guesses",
            47 "0047" "late_bookings",
            48 "0048" "orders",
            49 "0049" "traits",
            50 "0050" "times",
            51 "0051" "filters",
            52 "0052" "webhooks",
            53 "0053" "alerts",
            54 "0054" "equity_marks",
            55 "0055" "snapshots",
            56 "0056" "imports",
            57 "0057" "social",
            58 "0058" "offers_by_hand",
            59 "0059" "confirmations",
            60 "0060" "accounts_completed",
            61 "0061" "trading_processes",
            62 "0062" "would_buys",
            63 "0063" "risk_notice",
            64 "0064" "contract_versions",
            65 "0065" "transfers",
            66 "0066" "workspace_time_zone",
            67 "0067" "account_sessions",
            68 "0068" "session_calls",
            69 "0069" "giving",
            70 "0070" "account_standing",
            71 "0071" "giving_limits",
            72 "0072" "sales_elsewhere",
            73 "0073" "trade_offers_given",
            74 "0074" "accepted_holds",
        }
    };
    ($database:literal: $($version:literal $number:literal $name:literal,)+) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../migrations/", $database, "/", $number, "_", $name, ".sql")),
        }),+]
    };
}

const SQLITE: &[Migration] = migrations!("sqlite");
const POSTGRES: &[Migration] = migrations!("postgres");
const CREATE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (\
    version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)";

/// The version that a database has while data is moved into it: newer than that of any program, so that none serves it.
pub(crate) const MOVING: i64 = i64::MAX;

/// What migrating did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// The version before; 0 for an empty database.
    pub from: i64,
    /// The version now.
    pub to: i64,
    /// The copy of the SQLite file as it was before, if it held data.
    pub backup: Option<PathBuf>,
}

/// Why the schema is not what the program needs.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// A migration was applied with other contents than the program has for it.
    #[error(
        "migration {version} ({name}) was applied with other contents than this program has; restore the file or the data it belongs to"
    )]
    Changed {
        /// Its number.
        version: i64,
        /// Its name.
        name: String,
    },
    /// A newer program has migrated the database.
    #[error(
        "the database has schema version {found}, this program knows versions up to {known}; run the newer program"
    )]
    Newer {
        /// The version of the database.
        found: i64,
        /// The latest version that the program knows.
        known: i64,
    },
    /// The database has not been migrated yet.
    #[error("the database has schema version {found}, this program needs {known}; run `tradepost migrate`")]
    Behind {
        /// The version of the database, 0 if it is empty.
        found: i64,
        /// The version that the program needs.
        known: i64,
    },
    /// Data is moved into the database, or was and the move was cut off.
    #[error("a move of data into this database is not finished; run `tradepost move FILE` again")]
    Moving,
    /// Another process is migrating and does not finish.
    #[error("another process has held the migration lock for a minute; wait for it or end it")]
    Locked,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DbErr> for MigrateError {
    fn from(error: DbErr) -> Self {
        Self::Store(classify(&error, DbOperation::Statement))
    }
}

impl SqlStore {
    /// Brings the schema to the version of the program. A SQLite file that holds data is copied first.
    ///
    /// # Errors
    /// [`MigrateError`]; what was applied before the error stays, a migration itself is applied whole or not at all.
    pub async fn migrate(&self) -> Result<Migrated, MigrateError> {
        match (&self.settings, &self.commits) {
            (DatabaseSettings::Sqlite(settings), Commits::Sqlite(commits)) => {
                sqlite::migrate(self, commits, settings).await
            }
            (DatabaseSettings::Postgres(settings), Commits::Postgres(_)) => postgres::migrate(settings).await,
            (DatabaseSettings::Sqlite(_), Commits::Postgres(_))
            | (DatabaseSettings::Postgres(_), Commits::Sqlite(_)) => {
                Err(StoreError::Bug("settings of another database than the one that is open".to_owned()).into())
            }
        }
    }

    /// Checks that the schema is the one of the program, and changes nothing.
    ///
    /// # Errors
    /// [`MigrateError`] says what it is instead.
    pub async fn check_schema(&self) -> Result<(), MigrateError> {
        check_current(migrations(&self.settings), &self.applied().await?)
    }

    /// Checks that a database into which a move was begun has the schema of the program.
    pub(crate) async fn check_schema_under_move(&self) -> Result<(), MigrateError> {
        let mut applied = self.applied().await?;
        applied.retain(|applied| applied.version != MOVING);
        check_current(migrations(&self.settings), &applied)
    }

    /// The version of the schema, 0 for an empty database.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn schema_version(&self) -> StoreResult<i64> {
        let applied = self.applied().await.map_err(|error| classify(&error, DbOperation::Statement))?;
        Ok(applied.last().map_or(0, |applied| applied.version))
    }

    async fn applied(&self) -> Result<Vec<Applied>, DbErr> {
        let there = self.pick(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migrations'",
            "SELECT count(to_regclass('schema_migrations'))",
        );
        let there = Statement::from_string(self.reads().get_database_backend(), there);
        let row = self.reads().query_one_raw(there).await?;
        match row.map(|row| row.try_get_by_index::<i64>(0)).transpose()? {
            Some(1) => applied(self.reads()).await,
            Some(_) | None => Ok(Vec::new()),
        }
    }
}

/// A migration that the database has.
struct Applied {
    version: i64,
    name: String,
    checksum: String,
}

const fn migrations(settings: &DatabaseSettings) -> &'static [Migration] {
    match settings {
        DatabaseSettings::Sqlite(_) => SQLITE,
        DatabaseSettings::Postgres(_) => POSTGRES,
    }
}

fn latest(migrations: &[Migration]) -> i64 {
    migrations.last().map_or(0, |last| last.version)
}

async fn applied(db: &impl ConnectionTrait) -> Result<Vec<Applied>, DbErr> {
    let text = "SELECT version, name, checksum FROM schema_migrations ORDER BY version";
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), text)).await?;
    let read = |row: &sea_orm::QueryResult| {
        Ok(Applied {
            version: row.try_get_by_index(0)?,
            name: row.try_get_by_index(1)?,
            checksum: row.try_get_by_index(2)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Checks that the database is at the version of the program.
fn check_current(migrations: &[Migration], applied: &[Applied]) -> Result<(), MigrateError> {
    let (found, known) = (check(migrations, applied)?, latest(migrations));
    if found < known { Err(MigrateError::Behind { found, known }) } else { Ok(()) }
}

/// The version that the database is at, if it got there by the program's own migrations.
fn check(migrations: &[Migration], applied: &[Applied]) -> Result<i64, MigrateError> {
    let found = applied.last().map_or(0, |last| last.version);
    let known = latest(migrations);
    if found == MOVING {
        return Err(MigrateError::Moving);
    }
    if found > known {
        return Err(MigrateError::Newer { found, known });
    }
    let differs = |old: &&Applied| {
        migrations.iter().find(|own| own.version == old.version).is_none_or(|own| checksum(own) != old.checksum)
    };
    match applied.iter().find(differs) {
        Some(old) => Err(MigrateError::Changed { version: old.version, name: old.name.clone() }),
        None => Ok(found),
    }
}

fn checksum(migration: &Migration) -> String {
    digest(&SHA256, migration.sql.as_bytes()).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn apply(transaction: &DatabaseTransaction, migration: &Migration) -> Result<(), DbErr> {
    transaction.execute_unprepared(migration.sql).await?;
    let record = Statement::from_sql_and_values(
        transaction.get_database_backend(),
        "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)",
        [migration.version.into(), migration.name.into(), checksum(migration).into()],
    );
    transaction.execute_raw(record).await.map(|_| ())
}
