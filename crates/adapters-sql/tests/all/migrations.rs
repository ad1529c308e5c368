//! Migrations: applied once however many try, and refused where the database is not what the program knows.

use futures::future::join_all;
use sea_orm::ConnectionTrait as _;
use tradepost_adapters_sql::{MigrateError, Migrated, SqlStore};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trading_account::{AccountParts, TradingAccount};
use tradepost_domain::transition::Actor;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{PageRequest, Records as _, Store as _};
use tradepost_testkit::samples::Scene;

use crate::support::{Place, TestStore, book_sales, column, postgres, sqlite};

/// The number of the latest migration.
const LATEST: i64 = 74;
/// The number of the one before it.
const BEFORE: i64 = 73;
/// What takes it back.
const UNDO_LATEST: &str = "ALTER TABLE trade_offers DROP COLUMN request_accepts_hold";
/// What undoes the migration of the accounts' notice and readings.
const UNDO_ACCOUNTS_COMPLETED: &str = "DROP INDEX trading_accounts_refresh; \
    ALTER TABLE trading_accounts DROP COLUMN trade_notice_acknowledged_at; \
    ALTER TABLE trading_accounts DROP COLUMN refresh_requested_at; \
    ALTER TABLE trading_accounts DROP COLUMN refreshed_at; \
    ALTER TABLE trading_accounts DROP COLUMN renewal_requested_at; \
    ALTER TABLE trading_accounts DROP COLUMN renewal_begun_at; \
    ALTER TABLE trading_accounts DROP COLUMN refresh_waits";

async fn four_at_once(place: Place) {
    let migrate = async || {
        let store = SqlStore::open(place.settings()).await.unwrap();
        let migrated = store.migrate().await.unwrap();
        store.close().await.unwrap();
        migrated
    };
    let all: Vec<Migrated> = join_all((0..4).map(|_| migrate())).await;
    assert!(all.iter().all(|migrated| migrated.to == LATEST), "{all:?}");
    assert_eq!(all.iter().filter(|migrated| migrated.from == 0).count(), 1, "{all:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn four_processes_at_once_migrate_a_sqlite_file_once() {
    four_at_once(Place::folder()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_processes_at_once_migrate_a_postgres_database_once() {
    four_at_once(Place::database().await).await;
}

async fn a_changed_file_is_refused(test: TestStore) {
    let tamper = "UPDATE schema_migrations SET checksum = 'other' WHERE version = 1";
    test.place.connect().await.execute_unprepared(tamper).await.unwrap();
    for refused in [test.store.migrate().await.map(|_| ()), test.store.check_schema().await] {
        assert!(matches!(refused, Err(MigrateError::Changed { version: 1, .. })), "{refused:?}");
    }
}

#[tokio::test]
async fn a_changed_file_is_refused_on_sqlite() {
    a_changed_file_is_refused(sqlite().await).await;
}

#[tokio::test]
async fn a_changed_file_is_refused_on_postgres() {
    a_changed_file_is_refused(postgres().await).await;
}

async fn a_newer_schema_is_refused(test: TestStore) {
    let newer = "INSERT INTO schema_migrations (version, name, checksum) VALUES (99, 'later', 'x')";
    test.place.connect().await.execute_unprepared(newer).await.unwrap();
    for refused in [test.store.migrate().await.map(|_| ()), test.store.check_schema().await] {
        assert!(matches!(refused, Err(MigrateError::Newer { found: 99, known: LATEST })), "{refused:?}");
    }
}

#[tokio::test]
async fn a_newer_schema_is_refused_on_sqlite() {
    a_newer_schema_is_refused(sqlite().await).await;
}

#[tokio::test]
async fn a_newer_schema_is_refused_on_postgres() {
    a_newer_schema_is_refused(postgres().await).await;
}

async fn an_empty_database_is_behind(place: Place) {
    let store = SqlStore::open(place.settings()).await.unwrap();
    assert_eq!(store.schema_version().await.unwrap(), 0);
    let behind = store.check_schema().await;
    assert!(matches!(behind, Err(MigrateError::Behind { found: 0, known: LATEST })), "{behind:?}");
}

#[tokio::test]
async fn an_empty_sqlite_file_is_behind() {
    an_empty_database_is_behind(Place::folder()).await;
}

#[tokio::test]
async fn an_empty_postgres_database_is_behind() {
    an_empty_database_is_behind(Place::database().await).await;
}

#[tokio::test]
async fn a_sqlite_file_with_data_is_copied_before_it_is_migrated() {
    let test = sqlite().await;
    let back = format!("DELETE FROM schema_migrations WHERE version = {LATEST}; {UNDO_LATEST}");
    test.place.connect().await.execute_unprepared(&back).await.unwrap();
    let migrated = test.store.migrate().await.unwrap();
    assert_eq!((migrated.from, migrated.to), (BEFORE, LATEST));
    let copy = format!("sqlite:{}", migrated.backup.unwrap().display());
    let copy = sea_orm::Database::connect(copy).await.unwrap();
    let applied = column(&copy, 0, "SELECT CAST(max(version) AS TEXT) FROM schema_migrations").await;
    assert_eq!(applied, [BEFORE.to_string()]);
}

/// What adds columns locks its table also for readers until it is committed.
#[test]
fn the_index_of_what_accounts_gave_is_built_apart_from_its_columns() {
    let columns = include_str!("../../migrations/postgres/0071_giving_limits.sql");
    let index = include_str!("../../migrations/postgres/0073_trade_offers_given.sql");
    assert!(columns.contains("ALTER TABLE trade_offers") && !columns.contains("CREATE INDEX"), "{columns}");
    assert!(index.contains("CREATE INDEX trade_offers_given") && !index.contains("ALTER TABLE"), "{index}");
}

async fn contracts_that_are_there_keep_their_terms_at_the_migration(test: TestStore, migration: &str) {
    let scene = Scene::founded(&test.store, 1).await;
    let db = test.place.connect().await;
    db.execute_unprepared("DROP TABLE contract_versions").await.unwrap();
    db.execute_unprepared(migration).await.unwrap();
    let page = PageRequest { before: None, limit: 10 };
    let contract = &scene.contract;
    let ids = test.store.contract_versions().list(scene.scope(), contract.id, page).await.unwrap().ids;
    let found = test.store.contract_versions().find_many(scene.scope(), &ids).await.unwrap();
    let found: Vec<_> = found.into_iter().map(|version| version.into_display().0).collect();
    let [version] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&version.terms, version.record_version, version.made_by), (&contract.to_draft(), 1, Actor::System));
}

#[tokio::test]
async fn contracts_in_a_sqlite_file_keep_their_terms_at_the_migration() {
    let migration = include_str!("../../migrations/sqlite/0064_contract_versions.sql");
    contracts_that_are_there_keep_their_terms_at_the_migration(sqlite().await, migration).await;
}

#[tokio::test]
async fn contracts_in_a_postgres_database_keep_their_terms_at_the_migration() {
    let migration = include_str!("../../migrations/postgres/0064_contract_versions.sql");
    contracts_that_are_there_keep_their_terms_at_the_migration(postgres().await, migration).await;
}

/// An upgrade stops no account from trading.
async fn accounts_that_are_there_count_as_accepted_at_the_migration(test: TestStore, migration: &str) {
    let scene = Scene::founded(&test.store, 1).await;
    let parts = scene.samples.new_account(scene.id()).into_parts();
    let account = TradingAccount::restore(AccountParts { trade_notice_acknowledged_at: None, ..parts }).unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.insert(account.clone());
    test.store.commit(changes).await.unwrap();
    let db = test.place.connect().await;
    db.execute_unprepared(UNDO_ACCOUNTS_COMPLETED).await.unwrap();
    db.execute_unprepared(migration).await.unwrap();
    let found = test.store.trading_accounts().find(scene.scope(), account.id).await.unwrap().unwrap();
    let at = found.peek().trade_notice_acknowledged_at.unwrap();
    assert!(at > Timestamp::from_micros(1_767_225_600_000_000).unwrap(), "{at:?}");
    assert_eq!(found.peek().refresh, None);
}

#[tokio::test]
async fn accounts_that_are_there_count_as_accepted_at_the_migration_on_sqlite() {
    let migration = include_str!("../../migrations/sqlite/0060_accounts_completed.sql");
    accounts_that_are_there_count_as_accepted_at_the_migration(sqlite().await, migration).await;
}

#[tokio::test]
async fn accounts_that_are_there_count_as_accepted_at_the_migration_on_postgres() {
    let migration = include_str!("../../migrations/postgres/0060_accounts_completed.sql");
    accounts_that_are_there_count_as_accepted_at_the_migration(postgres().await, migration).await;
}

/// The files are run again on a database that has everything before them, with entries that were written then.
async fn months_and_places_are_added_up_from_the_days_that_are_there(test: TestStore, migration: &str) {
    let scene = Scene::founded(&test.store, 1).await;
    book_sales(&test.store, &scene).await;
    let db = test.place.connect().await;
    db.execute_unprepared("DROP TABLE ledger_months; DELETE FROM ledger_days WHERE telling = 3").await.unwrap();
    db.execute_unprepared(migration).await.unwrap();
    assert_eq!(test.store.check_sums(|_| ()).await.unwrap(), []);
}

#[tokio::test]
async fn months_and_places_are_added_up_from_the_days_that_are_there_on_sqlite() {
    let migration = include_str!("../../migrations/sqlite/0039_months.sql");
    months_and_places_are_added_up_from_the_days_that_are_there(sqlite().await, migration).await;
}

#[tokio::test]
async fn months_and_places_are_added_up_from_the_days_that_are_there_on_postgres() {
    let migration = include_str!("../../migrations/postgres/0039_months.sql");
    months_and_places_are_added_up_from_the_days_that_are_there(postgres().await, migration).await;
}
