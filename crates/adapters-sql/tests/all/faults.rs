//! Faults from outside: another process that holds the file, a second server, a database that is not there.

use std::time::Duration;
use tradepost_ports::store::Records;

use futures::poll;
use sea_orm::ConnectionTrait as _;
use tradepost_adapters_sql::{DatabaseSettings, PostgresSettings, ServeLock, ServeLockError, SqlStore, SqliteSettings};
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::money::Cents;
use tradepost_ports::changes::{Caller, Changes, Committed};
use tradepost_ports::store::{Store as _, StoreError, StoreResult};
use tradepost_testkit::samples::{Samples, Scene, minute, text, variant};

use crate::support::{TestStore, column, postgres, sqlite};

async fn patient_for(test: &TestStore, busy_timeout: Duration) -> SqlStore {
    let DatabaseSettings::Sqlite(settings) = test.place.settings() else { panic!("a SQLite store has such settings") };
    SqlStore::open(DatabaseSettings::Sqlite(SqliteSettings { busy_timeout, ..settings })).await.unwrap()
}

async fn add_a_user(store: &SqlStore) -> StoreResult<Committed> {
    let mut changes = Changes::by(&Caller::system());
    changes.insert(Samples::seeded(1).user());
    store.commit(changes).await
}

#[tokio::test]
async fn a_file_that_stays_locked_is_unavailable_and_works_again_afterwards() {
    let test = sqlite().await;
    let store = patient_for(&test, Duration::from_millis(50)).await;
    let other = test.place.connect().await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let refused = add_a_user(&store).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert!(!store.users().has_any().await.unwrap(), "reads go on, and nothing was written");
    other.execute_unprepared("ROLLBACK").await.unwrap();
    assert!(add_a_user(&store).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_waits_for_another_process_to_finish() {
    let test = sqlite().await;
    let other = test.place.connect().await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let (added, released) = tokio::join!(add_a_user(&test.store), async {
        tokio::task::yield_now().await;
        other.execute_unprepared("ROLLBACK").await
    });
    released.unwrap();
    assert!(added.is_ok(), "{added:?}");
}

#[tokio::test]
async fn a_second_server_of_a_file_is_refused_until_the_first_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let first = ServeLock::take(&file).unwrap();
    assert!(matches!(ServeLock::take(&file), Err(ServeLockError::Taken(_))));
    drop(first);
    assert!(ServeLock::take(&file).is_ok());
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let settings = SqliteSettings::at(folder.path().join("missing").join("test.db"));
    let refused = SqlStore::open(DatabaseSettings::Sqlite(settings)).await.unwrap_err();
    assert!(matches!(&refused, StoreError::Unavailable(why) if why.contains("missing")), "{refused:?}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    // Port 9 of the loopback, "discard": nothing listens there.
    let settings = PostgresSettings {
        acquire_timeout: Duration::from_millis(200),
        ..PostgresSettings::at("postgres://app@127.0.0.1:9/none".to_owned())
    };
    let refused = SqlStore::open(DatabaseSettings::Postgres(settings)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
}

/// A write to a server that answers with this SQLSTATE.
async fn refused_with(state: &str) -> StoreResult<Committed> {
    let test = postgres().await;
    let fails = format!(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         RAISE EXCEPTION 'it failed' USING ERRCODE = '{state}'; END $$; \
         CREATE TRIGGER users_fail BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION fail()"
    );
    test.place.connect().await.execute_unprepared(&fails).await.unwrap();
    add_a_user(&test.store).await
}

#[tokio::test]
async fn only_two_states_of_a_server_mean_damaged_data() {
    for damaged in ["XX001", "XX002"] {
        let refused = refused_with(damaged).await;
        assert!(matches!(refused, Err(StoreError::Corrupt(_))), "{damaged}: {refused:?}");
    }
    let refused = refused_with("XX000").await;
    assert!(matches!(refused, Err(StoreError::Bug(_))), "{refused:?}");
}

/// The caller of a write may be dropped at any moment of it, as when its connection is cut.
#[tokio::test]
async fn a_write_whose_caller_is_dropped_leaves_no_transaction_open() {
    let test = postgres().await;
    let DatabaseSettings::Postgres(settings) = test.place.settings() else { panic!("it has such settings") };
    let one = PostgresSettings { max_connections: 1, ..settings };
    let store = SqlStore::open(DatabaseSettings::Postgres(one)).await.unwrap();
    let scene = Scene::founded(&store, 1).await;
    let (variant, other) = (variant("AK-47 | Redline (Field-Tested)"), test.place.connect().await);
    let quotes = [(variant, Quote::of_ask(text("source"), Cents::ZERO, minute(1)))];
    for polls in 0..40 {
        let mut write = store.quotes().record(scene.scope(), &[], &quotes);
        for _ in 0..polls {
            if poll!(&mut write).is_ready() {
                break;
            }
            // By the time that another connection is answered this one is, too.
            column(&other, 0, "SELECT 'answered'").await;
        }
        drop(write);
        // The one connection is in use again.
        store.users().has_any().await.unwrap();
        let open = "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'";
        assert_eq!(column(&other, 0, open).await, Vec::<String>::new(), "after {polls} looks");
    }
}
