//! What operators rely on: backups that are sound, and checks that notice what is not.

use sea_orm::ConnectionTrait as _;
use tradepost_adapters_sql::{
    Backlog, BackupError, BackupProgress, BookError, CounterDrift, DatabaseSettings, DriftOf, SqlStore, SqliteSettings,
    SumDrift,
};
use tradepost_domain::accounts::guesses::DAY;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceSecret};
use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::contracts::ledger::report::day_of;
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::idempotency::{Execution, LIFE};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::record::Kind;
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::{Samples, Scene, minute, start, text, variant};

use crate::support::{Place, TestStore, book_sales, postgres, sqlite};

#[tokio::test]
async fn a_backup_holds_what_was_committed() {
    let test = sqlite().await;
    let scene = Scene::founded(&test.store, 1).await;
    let (item, _) = scene.item(&test.store, 4).await;
    let Place::Folder(folder) = &test.place else { panic!("a SQLite store lives in a folder") };
    let path = folder.path().join("backup.db");
    let mut reported = Vec::new();
    let report = test.store.backup_to(&path, |progress| reported.push(progress)).await.unwrap();
    assert_eq!((report.chains.items, report.chains.links, report.chains.broken), (1, 4, 0));
    assert_eq!(reported.last(), Some(&BackupProgress::Checked { items: 1 }));
    let copy = SqlStore::open(DatabaseSettings::Sqlite(SqliteSettings::at(&path))).await.unwrap();
    assert_eq!(copy.items().find(scene.scope(), item.id).await.unwrap().map(|seen| seen.into_display().0), Some(item));
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

/// Overwrites a link of one of two items, which needs access to the file.
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
    assert_eq!(test.store.check_sums(|_| ()).await.unwrap(), []);
    let (january, february) = (day_of(minute(0)), day_of(minute(0)) + 31);
    let db = test.place.connect().await;
    for (table, rows, of) in [
        ("ledger_days", format!("day = {}", january + 1), DriftOf::Day(january + 1)),
        ("ledger_days", "day = 1000000000".to_owned(), DriftOf::AllDays),
        ("ledger_months", format!("month = {february}"), DriftOf::Month(february)),
    ] {
        let tamper =
            |by: &str| format!("UPDATE {table} SET pending_cents = pending_cents {by} WHERE telling = 2 AND {rows}");
        db.execute_unprepared(&tamper("+ 1")).await.unwrap();
        let drift = SumDrift { workspace_id: scene.id(), contract_id: scene.contract.id, telling: 2, of };
        assert_eq!(test.store.check_sums(|_| ()).await.unwrap(), [drift]);
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

const ACCOUNTS: [&str; 11] = [
    "available",
    "reserved",
    "paid_in_transit",
    "refund_due",
    "inventory_at_cost",
    "delivered_at_cost",
    "receivable",
    "fees",
    "realised_pnl",
    "write_offs",
    "capital",
];

/// Books of a pool that add up: one entry of its own and one of a purchase.
async fn keep_books(test: &TestStore, scene: &Scene) -> (Pool, LedgerEntry) {
    let pool = scene.samples.pool(scene.id());
    let purchase = scene.purchase(&test.store, PurchaseStatus::Pending).await;
    let booked = scene.samples.booked(Some(pool.id), &purchase);
    let put_in = scene.samples.ledger_entry(scene.id(), Some(pool.id));
    let mut changes = Changes::by(&Caller::system());
    changes.insert(pool.clone());
    changes.append(AppendedRow::Ledger(LedgerEntry { amounts: pool.balances.clone(), ..put_in }));
    changes.append(AppendedRow::Ledger(booked.clone()));
    test.store.commit(changes).await.unwrap();
    // An operation writes a pool as its entries leave it.
    let sums = ACCOUNTS.map(|account| {
        let sum = format!("(SELECT sum({account}_cents) FROM ledger_entries e WHERE e.pool_id = pools.id)");
        format!("{account}_cents = coalesce({sum}, 0)")
    });
    let update = format!("UPDATE pools SET {}, used_cents = {}", sums.join(", "), purchase.terms.max_buy_price);
    test.place.connect().await.execute_unprepared(&update).await.unwrap();
    (pool, booked)
}

async fn books_that_do_not_add_up_are_found(test: TestStore) {
    let scene = Scene::founded(&test.store, 1).await;
    let (pool, booked) = keep_books(&test, &scene).await;
    let mut looked_at = 0;
    let sound = test.store.check_books(|records| looked_at = records).await.unwrap();
    assert_eq!((sound.entries, sound.findings.as_slice(), looked_at), (2, [].as_slice(), 2 + sound.pools));
    let (allow, id) = match test.place {
        Place::Folder(_) => (
            "PRAGMA ignore_check_constraints = ON; DROP TRIGGER ledger_entries_are_never_updated;",
            format!("x'{}'", booked.id.to_bytes().map(|byte| format!("{byte:02x}")).concat()),
        ),
        Place::Database(_) => (
            "DO $$ DECLARE name text; BEGIN FOR name IN SELECT conname FROM pg_constraint \
             WHERE conrelid = 'ledger_entries'::regclass AND contype = 'c' LOOP \
             EXECUTE 'ALTER TABLE ledger_entries DROP CONSTRAINT ' || name; END LOOP; END $$; \
             ALTER TABLE ledger_entries DISABLE TRIGGER USER;",
            format!("'{}'", booked.id.to_bytes().map(|byte| format!("{byte:02x}")).concat()),
        ),
    };
    let (workspace_id, db) = (scene.id(), test.place.connect().await);
    let name = booked.trade.as_ref().unwrap().market_hash_name.to_string();
    for (break_it, mend_it, expected) in [
        (
            "UPDATE pools SET available_cents = available_cents + 1, capital_cents = capital_cents - 1".to_owned(),
            "UPDATE pools SET available_cents = available_cents - 1, capital_cents = capital_cents + 1".to_owned(),
            BookError::Balances { workspace_id, id: pool.id },
        ),
        (
            "UPDATE pool_exposures SET exposed_cents = exposed_cents + 1".to_owned(),
            "UPDATE pool_exposures SET exposed_cents = exposed_cents - 1".to_owned(),
            BookError::Exposure { workspace_id, id: pool.id, name },
        ),
        (
            format!("{allow} UPDATE ledger_entries SET pool_id = NULL, fees_cents = fees_cents + 1 WHERE id = {id}"),
            String::new(),
            BookError::Unbalanced { workspace_id, id: booked.id },
        ),
    ] {
        db.execute_unprepared(&break_it).await.unwrap();
        let found = test.store.check_books(|_| ()).await.unwrap();
        assert!(found.findings.contains(&expected), "{found:?}");
        if !mend_it.is_empty() {
            assert_eq!(found.findings, [expected]);
            db.execute_unprepared(&mend_it).await.unwrap();
        }
    }
}

#[tokio::test]
async fn books_that_do_not_add_up_are_found_on_sqlite() {
    books_that_do_not_add_up_are_found(sqlite().await).await;
}

#[tokio::test]
async fn books_that_do_not_add_up_are_found_on_postgres() {
    books_that_do_not_add_up_are_found(postgres().await).await;
}

#[tokio::test]
async fn what_should_have_been_cleared_away_is_counted() {
    let test = sqlite().await;
    let begun = Execution::begun(Samples::seeded(1).id(), [7; 32], start());
    let mut changes = Changes::by(&Caller::system());
    changes.insert(begun);
    test.store.commit(changes).await.unwrap();
    assert_eq!(test.store.clearing_backlog(minute(1)).await.unwrap(), []);
    let overdue = test.store.clearing_backlog(minute(1).plus(LIFE)).await.unwrap();
    assert_eq!(overdue, [Backlog { table: "executions", overdue: 1 }]);
}

#[tokio::test]
async fn what_is_cleared_by_age_alone_is_counted_once_its_time_is_over() {
    let test = sqlite().await;
    let db = test.place.connect().await;
    let guesses = format!(
        "INSERT INTO code_guesses (user_id, guesser, guesser_kind, wrong, since, version) \
         VALUES (randomblob(16), randomblob(16), 1, 1, {}, 1)",
        start().as_micros()
    );
    db.execute_unprepared(&guesses).await.unwrap();
    assert_eq!(test.store.clearing_backlog(start().plus(DAY)).await.unwrap(), []);
    let overdue = test.store.clearing_backlog(minute(1).plus(DAY)).await.unwrap();
    assert_eq!(overdue, [Backlog { table: "code_guesses", overdue: 1 }]);
}

/// Evaluations and observations expire by the time of their market.
const EXPIRES: [&str; 7] = [
    "workspace_secrets",
    "sessions",
    "email_links",
    "spent_answers",
    "evaluations",
    "market_observations",
    "transition_places",
];

async fn whatever_expires_is_counted(test: TestStore) {
    let (scene, mut changes) = (Scene::founded(&test.store, 1).await, Changes::by(&Caller::system()));
    let (samples, user, contract) = (&scene.samples, scene.user.id, scene.contract.id);
    changes.insert(samples.session(user)).insert(samples.email_link(user)).insert(samples.spent_answer());
    let sealed = samples.workspace_secret(scene.id(), 1);
    let place = SecretPlace { table: text("chat_messages"), ..sealed.place.clone() };
    changes.insert(WorkspaceSecret { place, ..sealed });
    changes.append(AppendedRow::Evaluation(samples.evaluation(scene.id(), contract, Decision::Skip)));
    for subject in [contract, samples.id()].map(Subject::Contract) {
        changes.append(AppendedRow::Transition(samples.transition(scene.id(), subject)));
    }
    test.store.commit(changes).await.unwrap();
    test.store.transitions().place().await.unwrap();
    let seen = samples.on_offer(variant("AK-47 | Redline (Field-Tested)"), 1_000, start());
    test.store.observations().record(scene.scope(), &[], &[samples.observation(scene.id(), seen)]).await.unwrap();
    let overdue = async |days: i32| test.store.clearing_backlog(start().plus(DAY * days)).await.unwrap();
    let expected = EXPIRES.map(|table| Backlog { table, overdue: 1 });
    assert_eq!(overdue(0).await, []);
    assert_eq!(overdue(100).await, expected);
    // A simulated market has a time of its own.
    let simulate = format!("UPDATE workspaces SET market = {}", MarketKind::Simulated.code());
    test.place.connect().await.execute_unprepared(&simulate).await.unwrap();
    assert_eq!(overdue(100).await, [&expected[..4], &expected[6..]].concat());
}

#[tokio::test]
async fn whatever_expires_is_counted_on_sqlite() {
    whatever_expires_is_counted(sqlite().await).await;
}

#[tokio::test]
async fn whatever_expires_is_counted_on_postgres() {
    whatever_expires_is_counted(postgres().await).await;
}

#[tokio::test]
async fn a_root_secret_is_distinguished_from_another_one() {
    let test = sqlite().await;
    assert!(test.store.keep_canary([1; 16]).await.unwrap());
    assert!(test.store.keep_canary([1; 16]).await.unwrap());
    assert!(!test.store.keep_canary([2; 16]).await.unwrap());
    test.store.check_ready().await.unwrap();
}

async fn a_root_secret_is_replaced_once_and_remembered(test: TestStore) {
    let store = &test.store;
    assert!(store.keep_canary([1; 16]).await.unwrap());
    store.replace_canary([1; 16], b"sealed".to_vec(), [2; 16]).await.unwrap();
    store.replace_canary([1; 16], b"sealed again".to_vec(), [3; 16]).await.unwrap();
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
