//! Opening connections to a PostgreSQL server, with the settings that make it fast and safe.

use std::time::Duration;

use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use tradepost_ports::store::StoreResult;

use super::address;
use crate::classify::{DbOperation, classify};
use crate::connection_options::quiet;
use crate::settings::PostgresSettings;

/// A connection that is older is closed when it is returned. Without this, what a server keeps for it grows without a bound.
const OLDEST: Duration = Duration::from_mins(30);

/// The connections to a PostgreSQL server.
pub(crate) async fn open(settings: &PostgresSettings) -> StoreResult<DatabaseConnection> {
    let own = address::connect_options(settings)?;
    let mut options = ConnectOptions::new("postgres://unused");
    quiet(&mut options)
        .max_connections(settings.max_connections)
        .min_connections(settings.min_connections)
        .connect_timeout(settings.acquire_timeout)
        .acquire_timeout(settings.acquire_timeout)
        // With either limit the pool maintains its connections by itself, and may never stop (ADR 137).
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .map_sqlx_postgres_pool_opts(|pool| {
            pool.after_release(|_, connection| Box::pin(std::future::ready(Ok(connection.age < OLDEST))))
        })
        .test_before_acquire_if_idle_for(Duration::from_secs(10))
        .map_sqlx_postgres_opts(move |_| own.clone());
    Database::connect(options).await.map_err(|error| classify(&error, DbOperation::Statement))
}
