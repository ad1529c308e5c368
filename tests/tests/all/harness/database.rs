//! A fresh database for each test, and everything that is in it.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, QueryResult, Statement};
use tempfile::TempDir;
use tradepost::sql::{DatabaseSettings, PostgresSettings, SqlStore, SqliteSettings};

/// The database that new ones are copied from, made by whichever test comes first.
const TEMPLATE: &str = "tradepost_end_to_end";

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
    Server { name: String },
}

/// An event of the audit log, as stored.
#[derive(Debug)]
pub(crate) struct Audited {
    pub(crate) kind: String,
    /// 1 for a workspace's log, 2 for a user's, 3 for nobody's.
    pub(crate) home: i16,
    pub(crate) client: String,
    pub(crate) details: String,
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

    /// The address, as the setting `database.url` has it.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::File(folder) => format!("sqlite://{}", folder.path().join("tradepost.db").display()),
            Self::Server { name } => url_of(name),
        }
    }

    pub(crate) fn settings(&self) -> DatabaseSettings {
        match self {
            Self::File(folder) => DatabaseSettings::Sqlite(SqliteSettings::at(folder.path().join("tradepost.db"))),
            Self::Server { name } => DatabaseSettings::Postgres(PostgresSettings {
                max_connections: 8,
                min_connections: 0,
                ..PostgresSettings::at(url_of(name))
            }),
        }
    }

    /// A connection beside the server's own.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        connect(&self.url()).await
    }

    /// Every row of every table, as text, once the mails have gone out; apart from when keys and sessions were last used,
    /// how often, what processes count, the chain of the audit log and the positions of status changes, which are made behind
    /// the calls.
    pub(crate) async fn contents(&self) -> BTreeMap<String, Vec<String>> {
        let connection = self.connect().await;
        while !rows(&connection, "outgoing_mails").await.is_empty() {
            tokio::task::yield_now().await;
        }
        let mut contents = BTreeMap::new();
        for table in tables(&connection).await {
            contents.insert(table.clone(), rows(&connection, &table).await);
        }
        connection.close().await.unwrap();
        assert!(contents.len() > 15, "found only the tables {:?}", contents.keys());
        contents
    }

    /// Every event of the audit log, in the order in which they were made.
    pub(crate) async fn audited(&self) -> Vec<Audited> {
        let connection = self.connect().await;
        let select = "SELECT kind, home, coalesce(client, '') AS client, details FROM audit_events ORDER BY id";
        let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), select)).await;
        let event = |row: &QueryResult| Audited {
            kind: row.try_get("", "kind").unwrap(),
            home: row.try_get("", "home").unwrap(),
            client: row.try_get("", "client").unwrap(),
            details: row.try_get("", "details").unwrap(),
        };
        let events = rows.unwrap().iter().map(event).collect();
        connection.close().await.unwrap();
        events
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

async fn tables(connection: &DatabaseConnection) -> Vec<String> {
    let tables = if is_sqlite(connection) {
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN \
         ('api_key_uses', 'session_uses', 'usage_counts', 'audit_chain', 'audit_heads', 'audit_waiting', \
         'transition_places', 'transitions_waiting')"
    } else {
        "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('api_key_uses', \
         'session_uses', 'usage_counts', 'nodes', 'rate_limits', 'audit_chain', 'audit_heads', 'audit_waiting', \
         'transition_places', 'transitions_waiting')"
    };
    texts(connection, tables, "name").await
}

async fn rows(connection: &DatabaseConnection, table: &str) -> Vec<String> {
    let line = if is_sqlite(connection) {
        let columns = texts(connection, &format!("SELECT name FROM pragma_table_info('{table}')"), "name").await;
        columns.iter().map(|column| format!("quote({column})")).collect::<Vec<_>>().join(" || ' ' || ")
    } else {
        format!("{table}::text")
    };
    texts(connection, &format!("SELECT {line} AS line FROM {table} ORDER BY 1"), "line").await
}

fn is_sqlite(connection: &DatabaseConnection) -> bool {
    connection.get_database_backend() == DbBackend::Sqlite
}

async fn texts(connection: &DatabaseConnection, sql: &str, column: &str) -> Vec<String> {
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get("", column).unwrap()).collect()
}

async fn create(template: &str) -> String {
    let name = format!("end_to_end_{}", fresh_number());
    let server = connect(&url_of("postgres")).await;
    server.execute_unprepared(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await.unwrap();
    server.close().await.unwrap();
    name
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
    let there = format!("SELECT datname::text AS name FROM pg_database WHERE datname = '{TEMPLATE}'");
    if texts(&server, &there, "name").await.is_empty() {
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
    options.max_connections(1).sqlx_logging(false);
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
