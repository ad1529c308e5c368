//! Databases for tests: a SQLite file in a temporary folder, or a PostgreSQL database of the test's own.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, DefaultHasher, Hash as _, Hasher as _, RandomState};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection, DbErr};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tradepost_adapters_sql::{DatabaseSettings, Observer, PostgresSettings, SqlStore, SqliteSettings};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::Store;
use tradepost_testkit::samples::{Scene, minute};
use tradepost_testkit::store_contract::Fixture;

/// The database that new ones are copied from, made by whichever test comes first. Named after what the migrations say, so
/// that a server which outlives a change of them gets a new one.
static TEMPLATE: LazyLock<String> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files: BTreeMap<_, _> = files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    format!("tradepost_template_{:016x}", hasher.finish())
});

/// A store with what has to live as long.
pub(crate) struct TestStore {
    pub(crate) store: SqlStore,
    pub(crate) place: Place,
}

/// Where the data of a test is, until the value is dropped.
pub(crate) enum Place {
    Folder(TempDir),
    Database(TestDatabase),
}

impl Fixture for TestStore {
    fn store(&self) -> &dyn Store {
        &self.store
    }
}

impl Place {
    /// A folder for a SQLite file.
    pub(crate) fn folder() -> Self {
        Self::Folder(tempfile::tempdir().unwrap())
    }

    /// An empty PostgreSQL database.
    pub(crate) async fn database() -> Self {
        Self::Database(TestDatabase::create("template0").await)
    }

    pub(crate) fn settings(&self) -> DatabaseSettings {
        match self {
            Self::Folder(folder) => DatabaseSettings::Sqlite(SqliteSettings::at(folder.path().join("test.db"))),
            Self::Database(database) => DatabaseSettings::Postgres(PostgresSettings {
                max_connections: 8,
                min_connections: 0,
                acquire_timeout: Duration::from_secs(10),
                ..PostgresSettings::at(database.url())
            }),
        }
    }
}

/// A store on a new SQLite file.
pub(crate) async fn sqlite() -> TestStore {
    let place = Place::folder();
    let store = SqlStore::open(place.settings()).await.unwrap();
    store.migrate().await.unwrap();
    TestStore { store, place }
}

/// A store on a new PostgreSQL database.
pub(crate) async fn postgres() -> TestStore {
    let place = Place::Database(TestDatabase::migrated().await);
    let store = SqlStore::open(place.settings()).await.unwrap();
    TestStore { store, place }
}

/// A second store on the data of the first, that shows its statements.
pub(crate) async fn observed(first: &TestStore, observer: Observer) -> SqlStore {
    SqlStore::open_observed(first.place.settings(), observer).await.unwrap()
}

impl Place {
    /// Opens a connection separate from the store's, to read what it wrote.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        match self {
            Self::Folder(folder) => {
                let file = folder.path().join("test.db");
                let options = sea_orm::ConnectOptions::new(format!("sqlite:{}?mode=rwc", file.display()));
                alone(options).await
            }
            Self::Database(database) => server(&database.name).await,
        }
    }
}

/// A text of what the statement's first column says, one row a line.
pub(crate) async fn column(db: &DatabaseConnection, position: usize, sql: &str) -> Vec<String> {
    let rows = db.query_all_raw(sea_orm::Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(position).unwrap()).collect()
}

/// Books sales of three days in two months.
pub(crate) async fn book_sales(store: &SqlStore, scene: &Scene) {
    let mut changes = Changes::by(&Caller::system());
    for (day, realised) in [(0, 205), (1, -70), (1, 40), (40, 15)] {
        let purchase = scene.new_purchase(PurchaseStatus::Traded);
        changes.append(AppendedRow::Ledger(scene.samples.settled(&purchase, realised, minute(day * 24 * 60))));
    }
    store.commit(changes).await.unwrap();
}

/// Everything that a store says to its database.
#[derive(Default, Clone)]
pub(crate) struct Heard(Arc<std::sync::Mutex<Vec<String>>>);

impl Heard {
    pub(crate) fn observer(&self) -> Observer {
        let heard = self.clone();
        Arc::new(move |text| heard.0.lock().unwrap().push(text.to_owned()))
    }

    /// What was said since the last time it was asked for.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// What looks at the statements of a test. It has a runtime of its own, because that of the test is ending.
type Judge = fn(&Runtime, &Place, Vec<String>);

/// A store whose statements are looked at once the test is over.
pub(crate) struct Watched {
    store: SqlStore,
    heard: Heard,
    behind: TestStore,
    judge: Judge,
}

impl Watched {
    /// A second store on the data of the first.
    pub(crate) async fn on(behind: TestStore, judge: Judge) -> Self {
        let heard = Heard::default();
        Self { store: observed(&behind, heard.observer()).await, heard, behind, judge }
    }
}

impl Fixture for Watched {
    fn store(&self) -> &dyn Store {
        &self.store
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        let (place, heard, judge) = (&self.behind.place, self.heard.take(), self.judge);
        let looking = move || judge(&Builder::new_current_thread().enable_all().build().unwrap(), place, heard);
        thread::scope(|scope| scope.spawn(looking).join()).unwrap();
    }
}

/// A PostgreSQL database that is dropped with the value.
pub(crate) struct TestDatabase {
    name: String,
}

impl TestDatabase {
    async fn create(template: &str) -> Self {
        let name = format!("test_{:016x}", RandomState::new().build_hasher().finish());
        let server = server("postgres").await;
        server.execute_unprepared(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await.unwrap();
        server.close().await.unwrap();
        Self { name }
    }

    async fn migrated() -> Self {
        make_template().await;
        Self::create(&TEMPLATE).await
    }

    pub(crate) fn url(&self) -> String {
        url_of(&self.name)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let name = self.name.clone();
        // The test's own runtime is ending; the drop waits for a thread with another one.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let server = server("postgres").await;
                server.execute_unprepared(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await
            })
        });
        let dropped: Result<_, DbErr> = dropped.join().unwrap();
        dropped.unwrap();
    }
}

/// Makes the template unless another test has. The tests are processes of their own, so the server holds the lock.
async fn make_template() {
    let server = server("postgres").await;
    server.execute_unprepared("SELECT pg_advisory_lock(815)").await.unwrap();
    let building = format!("{}_building", *TEMPLATE);
    let there = format!("SELECT 1 FROM pg_database WHERE datname = '{}'", *TEMPLATE);
    let there = sea_orm::Statement::from_string(sea_orm::DbBackend::Postgres, there);
    if server.query_one_raw(there).await.unwrap().is_none() {
        server.execute_unprepared(&format!("DROP DATABASE IF EXISTS {building} WITH (FORCE)")).await.unwrap();
        server.execute_unprepared(&format!("CREATE DATABASE {building} TEMPLATE template0")).await.unwrap();
        let settings = DatabaseSettings::Postgres(PostgresSettings::at(url_of(&building)));
        let store = SqlStore::open(settings).await.unwrap();
        store.migrate().await.unwrap();
        store.close().await.unwrap();
        server.execute_unprepared(&format!("ALTER DATABASE {building} RENAME TO {}", *TEMPLATE)).await.unwrap();
    }
    server.close().await.unwrap();
}

async fn server(database: &str) -> DatabaseConnection {
    let options = sea_orm::ConnectOptions::new(url_of(database));
    alone(options).await
}

/// One connection, of a pool like those of the service (ADR 137).
async fn alone(mut options: sea_orm::ConnectOptions) -> DatabaseConnection {
    options.max_connections(1).idle_timeout(None::<Duration>).max_lifetime(None::<Duration>).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}

/// The address of a database on the server that the tests were given.
#[expect(clippy::disallowed_methods, reason = "the test command names its server in the environment")]
pub(crate) fn url_of(database: &str) -> String {
    let server = std::env::var("TRADEPOST_TEST_POSTGRES").expect(
        "these tests need PostgreSQL: run `cargo xtask test`, which provides one, \
         or set TRADEPOST_TEST_POSTGRES to postgres://user@host:port/postgres of a server that may be written to",
    );
    let (server, _) =
        server.rsplit_once('/').expect("TRADEPOST_TEST_POSTGRES has the form postgres://user@host:port/postgres");
    format!("{server}/{database}")
}
