//! A fresh database for each test.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, Statement};
use tempfile::TempDir;
use tradepost::sql::{DatabaseSettings, PostgresSettings, SqlStore, SqliteSettings};

use super::contents::Reader;

/// The database that new ones are copied from, made by whichever test comes first.
const TEMPLATE: &str = "tradepost_end_to_end";
/// How long a connection is waited for, however busy the machine.
const ACQUIRED_WITHIN: Duration = Duration::from_secs(20);

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

/// Where the data of a test is, until the value is dropped.
#[derive(Debug)]
pub(crate) enum Place {
    File(TempDir),
    Server {
        name: String,
    },
    /// A server of the test's own.
    At {
        url: String,
    },
}

impl Place {
    pub(crate) async fn new(database: Database) -> Self {
        match database {
            Database::Sqlite => Self::File(tempfile::tempdir().unwrap()),
            Database::Postgres => {
                make_template().await;
                Self::Server { name: create(TEMPLATE).await }
            }
        }
    }

    /// A database of PostgreSQL without a table.
    pub(crate) async fn empty() -> Self {
        Self::Server { name: create("template0").await }
    }

    /// The address, as the setting `database.url` has it.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::File(folder) => format!("sqlite://{}", folder.path().join("tradepost.db").display()),
            Self::Server { name } => url_of(name),
            Self::At { url } => url.clone(),
        }
    }

    pub(crate) fn settings(&self) -> DatabaseSettings {
        match self {
            Self::File(folder) => DatabaseSettings::Sqlite(SqliteSettings::at(folder.path().join("tradepost.db"))),
            Self::Server { .. } | Self::At { .. } => DatabaseSettings::Postgres(PostgresSettings {
                max_connections: 8,
                min_connections: 0,
                acquire_timeout: ACQUIRED_WITHIN,
                ..PostgresSettings::at(self.url())
            }),
        }
    }

    /// A connection separate from the server's own.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        connect(&self.url()).await
    }

    /// Every row of every table; see [`Reader::contents`].
    pub(crate) async fn contents(&self) -> BTreeMap<String, Vec<String>> {
        Reader::of(self).await.contents().await
    }

    /// The same data once more, in a place of its own. No process may have it open.
    pub(crate) async fn copied(&self) -> Self {
        match self {
            Self::File(folder) => {
                let copy = tempfile::tempdir().unwrap();
                copy_files(folder.path(), copy.path());
                Self::File(copy)
            }
            Self::Server { name } => Self::Server { name: create(name).await },
            Self::At { .. } => panic!("a server of the test's own is not copied"),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Self::Server { name } = self else { return };
        let name = name.clone();
        // The test's own runtime is ending; the drop waits for a thread with another one.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let server = connect(&url_of("postgres")).await;
                server.execute_unprepared(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await
            })
        });
        dropped.join().unwrap().unwrap();
    }
}

async fn create(template: &str) -> String {
    let name = format!("end_to_end_{}", fresh_number());
    let server = connect(&url_of("postgres")).await;
    server.execute_unprepared(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await.unwrap();
    server.close().await.unwrap();
    name
}

/// Copies what lies in a folder into another one.
pub(crate) fn copy_files(from: &Path, to: &Path) {
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

/// Different in every process and every test.
fn fresh_number() -> u128 {
    use tradepost_ports::clock::{Clock as _, Ids as _, RandomIds};
    u128::from_be_bytes(RandomIds::default().next(tradepost::SystemClock.now()))
}

/// Makes the template unless another test has. The tests are processes of their own, so the server holds the lock.
async fn make_template() {
    let server = connect(&url_of("postgres")).await;
    server.execute_unprepared("SELECT pg_advisory_lock(816)").await.unwrap();
    let there = format!("SELECT 1 FROM pg_database WHERE datname = '{TEMPLATE}'");
    if server.query_one_raw(Statement::from_string(DbBackend::Postgres, there)).await.unwrap().is_none() {
        let building = format!("{TEMPLATE}_building");
        server.execute_unprepared(&format!("DROP DATABASE IF EXISTS {building} WITH (FORCE)")).await.unwrap();
        server.execute_unprepared(&format!("CREATE DATABASE {building} TEMPLATE template0")).await.unwrap();
        let store = SqlStore::open(DatabaseSettings::Postgres(PostgresSettings::at(url_of(&building)))).await.unwrap();
        store.migrate().await.unwrap();
        store.close().await.unwrap();
        server.execute_unprepared(&format!("ALTER DATABASE {building} RENAME TO {TEMPLATE}")).await.unwrap();
    }
    server.close().await.unwrap();
}

async fn connect(url: &str) -> DatabaseConnection {
    let mut options = sea_orm::ConnectOptions::new(url);
    // As the pools of the service (ADR 137).
    options.max_connections(1).idle_timeout(None::<Duration>).max_lifetime(None::<Duration>).sqlx_logging(false);
    sea_orm::Database::connect(options).await.unwrap()
}

/// The address of a database on the server that the tests were given.
#[expect(clippy::disallowed_methods, reason = "the test command names the server in this variable")]
pub(crate) fn url_of(database: &str) -> String {
    let server = std::env::var("TRADEPOST_TEST_POSTGRES").expect(
        "these tests need PostgreSQL: run `cargo xtask test`, which provides one, \
         or set TRADEPOST_TEST_POSTGRES to postgres://user@host:port/postgres of a server that may be written to",
    );
    let (server, _) =
        server.rsplit_once('/').expect("TRADEPOST_TEST_POSTGRES has the form postgres://user@host:port/postgres");
    format!("{server}/{database}")
}
