//! A disk that is full and a file that is taken away: nothing is acknowledged that another connection cannot read, and writing
//! goes on as soon as it can.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tradepost_ports::store::Records;

use futures::future::join_all;
use sea_orm::{ConnectionTrait as _, DatabaseConnection};
use tradepost_adapters_sql::{DatabaseSettings, SqlStore, SqliteSettings};
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::money::Cents;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{NotReady, Recorded, Store as _, StoreError, StoreResult};
use tradepost_testkit::samples::{Samples, Scene, minute, start, text, variant};

use crate::support::{Place, TestStore, column, sqlite};

/// What takes the space that is freed later.
const FILL: &str = "CREATE TABLE filler (content BLOB); INSERT INTO filler VALUES (zeroblob(16777216))";
const FREE: &str = "DELETE FROM filler";

fn settings(place: &Place) -> SqliteSettings {
    match place.settings() {
        DatabaseSettings::Sqlite(settings) => settings,
        DatabaseSettings::Postgres(_) => panic!("a SQLite store has such settings"),
    }
}

fn file(place: &Place) -> PathBuf {
    settings(place).path
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// A store whose file is full after so many pages more, and a connection that can free many.
async fn almost_full(test: &TestStore, pages_left: u32) -> (SqlStore, DatabaseConnection) {
    test.store.close().await.unwrap();
    let other = test.place.connect().await;
    other.execute_unprepared(FILL).await.unwrap();
    let pages = "SELECT CAST(page_count AS TEXT) FROM pragma_page_count";
    let pages: u32 = column(&other, 0, pages).await.remove(0).parse().unwrap();
    let settings = SqliteSettings { max_pages: Some(pages + pages_left), min_free_bytes: 0, ..settings(&test.place) };
    (SqlStore::open(DatabaseSettings::Sqlite(settings)).await.unwrap(), other)
}

/// Adds so many users at once; the ids of those that were acknowledged.
async fn add_users(store: &SqlStore, samples: &Samples, many: usize) -> (BTreeSet<String>, usize) {
    let add = async |_| {
        let user = samples.user();
        let id = user.id;
        let mut changes = Changes::by(&Caller::system());
        changes.insert(user);
        store.commit(changes).await.map(|_| id.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
    };
    let (added, refused): (Vec<_>, Vec<_>) = join_all((0..many).map(add)).await.into_iter().partition(Result::is_ok);
    for refused in &refused {
        assert!(matches!(refused, Err(StoreError::Unavailable(_) | StoreError::Unknown(_))), "{refused:?}");
    }
    (added.into_iter().map(Result::unwrap).collect(), refused.len())
}

async fn users(other: &DatabaseConnection) -> BTreeSet<String> {
    column(other, 0, "SELECT lower(hex(id)) FROM users").await.into_iter().collect()
}

/// Asks until the store is ready, which takes a probe, of which there is one a second.
async fn until_ready(store: &SqlStore) {
    let asked = async {
        let mut tick = tokio::time::interval(Duration::from_millis(50));
        while store.check_ready().await.is_err() {
            tick.tick().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), asked).await.expect("the store gets ready again");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_ten_thousand_users_acknowledged_around_a_full_disk_all_are_there() {
    let (test, samples) = (sqlite().await, Samples::seeded(1));
    let (store, other) = almost_full(&test, 200).await;
    let (mut acknowledged, mut refused) = (BTreeSet::new(), 0);
    let mut add = async |many| {
        let (added, not_added) = add_users(&store, &samples, many).await;
        acknowledged.extend(added);
        refused += not_added;
        (acknowledged.len(), refused)
    };
    while add(64).await.1 == 0 {}
    for _ in 0..10 {
        add(16).await;
    }
    let not_ready = store.check_ready().await;
    assert!(matches!(&not_ready, Err(NotReady::LastWriteFailed(why)) if why.contains("full")), "{not_ready:?}");

    other.execute_unprepared(FREE).await.unwrap();
    until_ready(&store).await;
    let refused_before = add(0).await.1;
    let (mut many, mut refused) = add(256).await;
    while many < 10_000 {
        (many, refused) = add(256).await;
    }
    assert_eq!(refused, refused_before, "after it was ready no write was refused");
    let read = users(&other).await;
    assert!(acknowledged.is_subset(&read), "{} are lost", acknowledged.difference(&read).count());
    assert!(store.check_ready().await.is_ok());
    store.close().await.unwrap();

    let again = SqlStore::open(test.place.settings()).await.unwrap();
    let read = users(&other).await;
    assert!(acknowledged.is_subset(&read), "{} are lost", acknowledged.difference(&read).count());
    again.close().await.unwrap();
}

/// Every way to the file, each behind a name.
struct Ways<'a> {
    store: &'a SqlStore,
    scene: &'a Scene,
}

impl Ways<'_> {
    async fn commit(&self) -> StoreResult<()> {
        let mut changes = Changes::by(&Caller::system());
        changes.insert(self.scene.samples.filter_set(self.scene.id()));
        self.store.commit(changes).await.map(|_| ())
    }

    async fn record(&self) -> StoreResult<()> {
        let one = || {
            let seen = self.scene.samples.on_offer(variant("AK-47 | Redline (Field-Tested)"), 100, start());
            self.scene.samples.observation(self.scene.id(), seen)
        };
        let observations: Vec<_> = (0..100).map(|_| one()).collect();
        let recorded = self.store.observations().record(self.scene.scope(), &[], &observations).await?;
        assert!(recorded.iter().all(|recorded| *recorded == Recorded::Accepted), "{recorded:?}");
        Ok(())
    }

    async fn quote(&self, round: usize) -> StoreResult<()> {
        let quotes: Vec<_> = (0..300)
            .map(|number| {
                let source = text(&format!("source {round} {number}"));
                (variant("AK-47 | Redline (Field-Tested)"), Quote::of_ask(source, Cents::ZERO, minute(1)))
            })
            .collect();
        self.store.quotes().record(self.scene.scope(), &[], &quotes).await.map(|_| ())
    }
}

async fn count(other: &DatabaseConnection) -> Vec<u64> {
    let mut counts = Vec::new();
    for table in ["filter_sets", "market_observations", "market_quotes"] {
        let count = format!("SELECT CAST(count(*) AS TEXT) FROM {table}");
        counts.push(column(other, 0, &count).await.remove(0).parse().unwrap());
    }
    counts
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_of_writing_stores_what_it_acknowledges_after_a_full_disk() {
    let test = sqlite().await;
    let scene = Scene::founded(&test.store, 1).await;
    let (store, other) = almost_full(&test, 60).await;
    let ways = Ways { store: &store, scene: &scene };
    let mut written = count(&other).await;
    for way in 0..written.len() {
        // Each of them is the one that finds the disk full, more than once, and the first to write afterwards.
        let mut refused = 0;
        for round in 0.. {
            let done = match way {
                0 => ways.commit().await,
                1 => ways.record().await,
                _ => ways.quote(round).await,
            };
            match &done {
                Ok(()) => written[way] += [1, 100, 300][way],
                Err(StoreError::Unavailable(_)) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
            assert_eq!(count(&other).await, written, "way {way}, round {round}");
            if refused == 3 {
                other.execute_unprepared(FREE).await.unwrap();
            } else if refused == 0 && round > 2_000 {
                panic!("the disk never gets full");
            }
            if refused >= 3 && matches!(done, Ok(())) {
                break;
            }
        }
        store.executions().forget(start(), 100).await.unwrap();
        let refill =
            "INSERT INTO filler SELECT zeroblob(4096 * (SELECT freelist_count - 20 FROM pragma_freelist_count))";
        other.execute_unprepared(refill).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_moved_away_takes_no_write_until_it_is_back() {
    let (test, samples) = (sqlite().await, Samples::seeded(1));
    let (store, file) = (&test.store, file(&test.place));
    let (mut acknowledged, _) = add_users(store, &samples, 10).await;
    let away = with_suffix(&file, ".away");
    std::fs::rename(&file, &away).unwrap();
    assert_eq!(add_users(store, &samples, 10).await.0.len(), 0);
    let why = store.check_ready().await.unwrap_err().to_string();
    assert_eq!(why, "the last write to the database failed: the database file was moved or removed while it was open");
    assert!(!file.exists(), "no empty file takes its place");

    std::fs::copy(&away, &file).unwrap();
    assert_eq!(add_users(store, &samples, 10).await.0.len(), 0);
    let why = store.check_ready().await.unwrap_err().to_string();
    assert!(why.ends_with("the database file was replaced by another file while it was open"), "{why}");

    std::fs::rename(&away, &file).unwrap();
    until_ready(store).await;
    let (added, refused) = add_users(store, &samples, 10).await;
    assert_eq!((added.len(), refused), (10, 0));
    acknowledged.extend(added);
    let other = test.place.connect().await;
    assert_eq!(users(&other).await, acknowledged);
    store.close().await.unwrap();
    assert_eq!(users(&other).await, acknowledged);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_was_removed_takes_no_write_and_an_orderly_stop_stores_what_it_held() {
    let (test, samples) = (sqlite().await, Samples::seeded(1));
    let (acknowledged, _) = add_users(&test.store, &samples, 10).await;
    std::fs::remove_file(with_suffix(&file(&test.place), "-wal")).unwrap();
    assert_eq!(add_users(&test.store, &samples, 10).await.0.len(), 0);
    let why = test.store.check_ready().await.unwrap_err().to_string();
    assert!(why.ends_with("its write-ahead log was moved or removed while it was open"), "{why}");
    test.store.close().await.unwrap();
    assert_eq!(users(&test.place.connect().await).await, acknowledged);
}

#[tokio::test]
async fn a_log_without_its_database_is_not_opened() {
    let test = sqlite().await;
    let file = file(&test.place);
    let (log, away) = (with_suffix(&file, "-wal"), with_suffix(&file, ".away"));
    add_users(&test.store, &Samples::seeded(1), 1).await;
    let kept = std::fs::read(&log).unwrap();
    test.store.close().await.unwrap();
    std::fs::rename(&file, &away).unwrap();
    std::fs::write(&log, &kept).unwrap();
    let refused = SqlStore::open(test.place.settings()).await.unwrap_err();
    assert!(matches!(&refused, StoreError::Unavailable(why) if why.contains("put the database back")), "{refused:?}");
    assert_eq!(std::fs::read(&log).unwrap(), kept);
    assert!(!file.exists());
}

#[tokio::test]
async fn a_volume_with_less_space_than_required_is_not_ready_and_takes_writes() {
    let test = sqlite().await;
    let settings = SqliteSettings { min_free_bytes: u64::MAX, ..settings(&test.place) };
    let store = SqlStore::open(DatabaseSettings::Sqlite(settings)).await.unwrap();
    let refused = store.check_ready().await.unwrap_err();
    assert!(matches!(refused, NotReady::LittleSpace { required_bytes: u64::MAX, .. }), "{refused:?}");
    assert!(
        refused
            .to_string()
            .ends_with(" MiB are free on the volume of the database, less than the required 17592186044415 MiB")
    );
    assert_eq!(add_users(&store, &Samples::seeded(1), 1).await.0.len(), 1);
}
