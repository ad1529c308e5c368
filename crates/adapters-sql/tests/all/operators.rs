//! What operators rely on: backups that are sound, and checks that notice what is not.

use sea_orm::ConnectionTrait as _;
use tradepost_adapters_sql::{
    BackupError, BackupProgress, CounterDrift, DatabaseSettings, DriftOf, SqlStore, SqliteSettings, SumDrift,
};
use tradepost_domain::ledger::report::day_of;
use tradepost_domain::purchase::PurchaseStatus;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{Store as _, Trading as _};
use tradepost_ports::testing::samples::{Scene, minute};

use crate::support::{Place, TestStore, book_sales, postgres, sqlite};

#[tokio::test]
async fn a_backup_holds_what_was_committed() {
    let test = sqlite().await;
    let scene = Scene::founded(&test.store, 1).await;
    let (item, _) = scene.item(&test.store, 4).await;
    let Place::Folder(folder) = &test.place else { panic!("a SQLite store lives in a folder") };
    let path = folder.path().join("backup.db");
    let mut told = Vec::new();
    let report = test.store.backup_to(&path, |come_to| told.push(come_to)).await.unwrap();
    assert_eq!((report.items, report.links, report.broken), (1, 4, 0));
    assert_eq!(told.last(), Some(&BackupProgress::Checked { items: 1 }));
    let copy = SqlStore::open(DatabaseSettings::Sqlite(SqliteSettings::at(&path))).await.unwrap();
    assert_eq!(copy.find_item(scene.scope(), item.id).await.unwrap().map(|seen| seen.only_to_show().0), Some(item));
    assert!(matches!(test.store.backup_to(&path, |_| ()).await, Err(BackupError::Exists(_))));
}

#[tokio::test]
async fn a_backup_of_a_broken_database_is_not_kept() {
    let test = sqlite().await;
    break_a_chain(&test).await;
    let Place::Folder(folder) = &test.place else { panic!("a SQLite store lives in a folder") };
    let path = folder.path().join("backup.db");
    let refused = test.store.backup_to(&path, |_| ()).await;
    assert!(matches!(refused, Err(BackupError::Unsound(_))), "{refused:?}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with("backup.db")), "{left:?}");
}

/// Writes over a link of one of two items, as only somebody with the file in hand can.
async fn break_a_chain(test: &TestStore) {
    let scene = Scene::founded(&test.store, 1).await;
    scene.item(&test.store, 3).await;
    scene.item(&test.store, 3).await;
    let db = test.place.connect().await;
    let (allow, one_item) = match test.place {
        Place::Folder(_) => ("DROP TRIGGER asset_id_links_are_never_updated", "min(inventory_item_id)"),
        Place::Database(_) => (
            "DROP TRIGGER asset_id_links_are_append_only ON asset_id_links",
            "min(CAST(inventory_item_id AS text))::uuid",
        ),
    };
    db.execute_unprepared(allow).await.unwrap();
    let tamper = format!(
        "UPDATE asset_id_links SET asset_id = '7' || substr(asset_id, 2) WHERE step = 1 \
         AND inventory_item_id = (SELECT {one_item} FROM asset_id_links)"
    );
    assert_eq!(db.execute_unprepared(&tamper).await.unwrap().rows_affected(), 1);
}

async fn a_broken_chain_is_found(test: TestStore) {
    break_a_chain(&test).await;
    let mut looked_at = 0;
    let report = test.store.verify_chains(|items| looked_at = items).await.unwrap();
    assert_eq!((report.items, looked_at, report.broken), (2, 2, 1), "{report:?}");
    assert!(report.findings[0].contains("step 2: the previous asset id is"), "{report:?}");
}

#[tokio::test]
async fn a_broken_chain_is_found_on_sqlite() {
    a_broken_chain_is_found(sqlite().await).await;
}

#[tokio::test]
async fn a_broken_chain_is_found_on_postgres() {
    a_broken_chain_is_found(postgres().await).await;
}

async fn a_wrong_counter_is_found(test: TestStore) {
    let scene = Scene::founded(&test.store, 1).await;
    scene.purchase(&test.store, PurchaseStatus::Pending).await;
    let mut changes = Changes::by(&Caller::system());
    changes.insert(scene.samples.filter_set(scene.id()));
    test.store.commit(changes).await.unwrap();
    test.store.quick_check().await.unwrap();
    assert_eq!(test.store.check_counters().await.unwrap(), []);
    let pending = PurchaseStatus::Pending.code();
    let tamper = format!("UPDATE record_counts SET n = n + 2 WHERE status = {pending} AND kind = 15");
    test.place.connect().await.execute_unprepared(&tamper).await.unwrap();
    let mut drifts = test.store.check_counters().await.unwrap();
    drifts.sort_by_key(|drift| drift.contract_id);
    let drift = |contract_id| CounterDrift {
        workspace_id: scene.id(),
        kind: Kind::Purchase,
        contract_id,
        status: pending,
        missing: -2,
    };
    assert_eq!(drifts, [drift(None), drift(Some(scene.contract.id))]);
}

#[tokio::test]
async fn a_wrong_counter_is_found_on_sqlite() {
    a_wrong_counter_is_found(sqlite().await).await;
}

#[tokio::test]
async fn a_wrong_counter_is_found_on_postgres() {
    a_wrong_counter_is_found(postgres().await).await;
}

/// Days, months and all days of two contracts; and what is changed by hand in each.
async fn a_wrong_sum_is_found(test: TestStore) {
    let scene = Scene::founded(&test.store, 1).await;
    book_sales(&test.store, &scene).await;
    assert_eq!(test.store.check_sums().await.unwrap(), []);
    let (january, february) = (day_of(minute(0)), day_of(minute(0)) + 31);
    let db = test.place.connect().await;
    for (table, rows, of) in [
        ("ledger_days", format!("day = {}", january + 1), DriftOf::Days(january)),
        ("ledger_days", "day = 1000000000".to_owned(), DriftOf::AllDays),
        ("ledger_months", format!("month = {february}"), DriftOf::Month(february)),
    ] {
        let tamper =
            |by: &str| format!("UPDATE {table} SET pending_cents = pending_cents {by} WHERE telling = 2 AND {rows}");
        db.execute_unprepared(&tamper("+ 1")).await.unwrap();
        let drift = SumDrift { workspace_id: scene.id(), contract_id: scene.contract.id, telling: 2, of };
        assert_eq!(test.store.check_sums().await.unwrap(), [drift]);
        db.execute_unprepared(&tamper("- 1")).await.unwrap();
    }
}

#[tokio::test]
async fn a_wrong_sum_is_found_on_sqlite() {
    a_wrong_sum_is_found(sqlite().await).await;
}

#[tokio::test]
async fn a_wrong_sum_is_found_on_postgres() {
    a_wrong_sum_is_found(postgres().await).await;
}

#[tokio::test]
async fn a_root_secret_is_told_from_another_one() {
    let test = sqlite().await;
    assert!(test.store.keep_canary([1; 16]).await.unwrap());
    assert!(test.store.keep_canary([1; 16]).await.unwrap());
    assert!(!test.store.keep_canary([2; 16]).await.unwrap());
    test.store.ping().await.unwrap();
}

async fn a_root_secret_is_replaced_once_and_remembered(test: TestStore) {
    let store = &test.store;
    assert!(store.keep_canary([1; 16]).await.unwrap());
    store.replace_canary(([1; 16], b"sealed".to_vec()), [2; 16]).await.unwrap();
    store.replace_canary(([1; 16], b"sealed again".to_vec()), [3; 16]).await.unwrap();
    assert_eq!(store.canary().await.unwrap().unwrap(), [2; 16]);
    let former = store.former_roots().await.unwrap();
    assert_eq!(former.iter().map(|former| former.audit_key.as_slice()).collect::<Vec<_>>(), [b"sealed"]);
    assert_eq!([1, 2].map(|byte| former[0].is([byte; 16])), [true, false]);
}

#[tokio::test]
async fn a_root_secret_is_replaced_once_and_remembered_on_sqlite() {
    a_root_secret_is_replaced_once_and_remembered(sqlite().await).await;
}

#[tokio::test]
async fn a_root_secret_is_replaced_once_and_remembered_on_postgres() {
    a_root_secret_is_replaced_once_and_remembered(postgres().await).await;
}
