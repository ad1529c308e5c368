//! Migrating a PostgreSQL database: on a connection of its own, under an advisory lock that is tried for and not waited for,
//! since a waiter would keep later migrations from building indexes concurrently.

use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, DbErr, Statement, TransactionTrait as _};

use super::{CREATE, MigrateError, Migrated, Migration, POSTGRES, applied, apply, check, latest};
use crate::classify::code_of;
use crate::postgres::open;
use crate::settings::PostgresSettings;

/// The key of the lock: `tradepos` in ASCII.
const LOCK: i64 = 0x7472_6164_6570_6f73;
const TRIES: u32 = 600;
const BETWEEN_TRIES: Duration = Duration::from_millis(100);
/// How often a migration is started when a long statement keeps a table locked.
const STARTS: u32 = 5;

pub(super) async fn migrate(settings: &PostgresSettings) -> Result<Migrated, MigrateError> {
    // A pool of one: the lock belongs to the connection, and ends with it.
    let own = PostgresSettings { max_connections: 1, min_connections: 1, ..settings.of_sessions() };
    let connections = open(&own).await?;
    let migrated = migrate_on(connections.db()).await;
    connections.db().clone().close().await?;
    migrated
}

async fn migrate_on(db: &DatabaseConnection) -> Result<Migrated, MigrateError> {
    db.execute_unprepared("SET statement_timeout = 0").await?;
    lock(db).await?;
    db.execute_unprepared(CREATE).await?;
    let from = check(POSTGRES, &applied(db).await?)?;
    for migration in POSTGRES.iter().filter(|migration| migration.version > from) {
        apply_patiently(db, migration).await?;
    }
    Ok(Migrated { from, to: latest(POSTGRES), backup: None })
}

async fn lock(db: &DatabaseConnection) -> Result<(), MigrateError> {
    for _ in 0..TRIES {
        let attempt = "SELECT pg_try_advisory_lock($1)";
        let attempt = Statement::from_sql_and_values(DbBackend::Postgres, attempt, [LOCK.into()]);
        let row = db.query_one_raw(attempt).await?;
        if row.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or(false) {
            return Ok(());
        }
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
    Err(MigrateError::Locked)
}

async fn apply_patiently(db: &DatabaseConnection, migration: &Migration) -> Result<(), DbErr> {
    for _ in 1..STARTS {
        match apply_once(db, migration).await {
            Err(error) if code_of(&error).as_deref() == Some("55P03") => tokio::time::sleep(BETWEEN_TRIES).await,
            done => return done,
        }
    }
    apply_once(db, migration).await
}

async fn apply_once(db: &DatabaseConnection, migration: &Migration) -> Result<(), DbErr> {
    let transaction = db.begin().await?;
    apply(&transaction, migration).await?;
    transaction.commit().await
}
