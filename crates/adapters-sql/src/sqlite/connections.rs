//! Opening connections to a SQLite file, with the settings that make it fast and safe.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use tokio::time::{Instant, sleep};

use super::condition::Condition;
use crate::classify::code_of;
use crate::connection_options::{STATEMENTS_KEPT, quiet};
use crate::settings::{Durability, SqliteSettings};

/// Rows that SQLite's thread may run ahead: a page of ids comes in one go.
const ROWS_AHEAD: usize = 1_000;

/// How long to wait for a file that another process has to itself.
const BUSY: Duration = Duration::from_millis(20);

/// Creates an empty file that only this user may read, and its folder, where there is none. SQLite gives its further files the
/// same mode.
pub(crate) fn make_private(file: &Path) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

/// The one connection that writes to a SQLite file. It is opened when it is needed, and closed after a failure.
pub(crate) async fn writer(settings: &SqliteSettings, condition: &Arc<Condition>) -> Result<DatabaseConnection, DbErr> {
    let synchronous = match settings.durability {
        Durability::Full => SqliteSynchronous::Full,
        Durability::ProcessOnly => SqliteSynchronous::Normal,
    };
    let max_pages = settings.max_pages;
    let mut connect = options(settings, 1, move |options| {
        let options = match max_pages {
            Some(most) => options.pragma("max_page_count", most.to_string()),
            None => options,
        };
        // The file was made before. One that is missing later was taken away, and an empty one in its place would hide that.
        options
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(synchronous)
            .pragma("cache_size", "-65536")
            .pragma("wal_autocheckpoint", "4000")
            .pragma("journal_size_limit", "268435456")
    });
    let condition = condition.clone();
    connect.map_sqlx_sqlite_pool_opts(move |pool| {
        let (taken, given_back) = (condition.clone(), condition.clone());
        let is_sound = move || taken.is_sound();
        pool.before_acquire(move |_, _| Box::pin(std::future::ready(Ok(is_sound())))).after_release(
            move |connection, _| {
                let condition = given_back.clone();
                Box::pin(async move { Ok(condition.is_clean(connection).await) })
            },
        )
    });
    let late = Instant::now() + settings.busy_timeout;
    loop {
        match Database::connect(connect.clone()).await {
            // Another process begins the write-ahead log of a new file. SQLite does not wait for that.
            Err(error) if is_busy(&error) && Instant::now() < late => sleep(BUSY).await,
            done => return done,
        }
    }
}

fn is_busy(error: &DbErr) -> bool {
    code_of(error).as_deref() == Some("5")
}

/// The connections that read a SQLite file.
pub(crate) async fn readers(settings: &SqliteSettings) -> Result<DatabaseConnection, DbErr> {
    let options = options(settings, settings.readers.max(1), |options| {
        // Pages of the file are mapped; the cache holds only what is still in the write-ahead log.
        options.read_only(true).pragma("query_only", "on").pragma("cache_size", "-8192")
    });
    Database::connect(options).await
}

fn options(
    settings: &SqliteSettings,
    connections: u32,
    refine: impl Fn(SqliteConnectOptions) -> SqliteConnectOptions + Send + Sync + 'static,
) -> ConnectOptions {
    let (path, busy_timeout): (Box<Path>, _) = (settings.path.clone().into(), settings.busy_timeout);
    let mut options = ConnectOptions::new("sqlite:unused");
    quiet(&mut options)
        .max_connections(connections)
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .test_before_acquire(false)
        .map_sqlx_sqlite_opts(move |options| {
            refine(
                options
                    .filename(&path)
                    .busy_timeout(busy_timeout)
                    .foreign_keys(true)
                    .pragma("mmap_size", "1073741824")
                    .pragma("temp_store", "memory")
                    .statement_cache_capacity(STATEMENTS_KEPT)
                    .row_buffer_size(ROWS_AHEAD),
            )
        });
    options
}
