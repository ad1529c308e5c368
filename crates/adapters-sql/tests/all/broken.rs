//! Records that break a rule of the domain: the others are answered, and the checks of operators name them.

use sea_orm::ConnectionTrait as _;
use tradepost_adapters_sql::PurchaseFault;
use tradepost_domain::contracts::equity::{EquityMark, Worth, end_of};
use tradepost_domain::contracts::ledger::Posting;
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::trading::account_session::SessionStatus;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::Records;
use tradepost_ports::store::{PageRequest, Store as _, StoreError};
use tradepost_testkit::samples::Scene;

use crate::support::{TestStore, postgres, sqlite};

async fn a_record_that_breaks_a_rule_is_left_out_of_batches_and_named(test: TestStore) {
    let scene = Scene::founded(&test.store, 1).await;
    let pools: [Pool; 3] = std::array::from_fn(|_| scene.samples.pool(scene.id()));
    let mut changes = Changes::by(&Caller::system());
    for pool in &pools {
        changes.insert(pool.clone());
    }
    test.store.commit(changes).await.unwrap();
    let whole = test.store.check_records(|_| ()).await.unwrap();
    assert_eq!(whole.findings, Vec::<String>::new());
    assert!(whole.records >= 4, "{whole:?}");
    let [first, broken, last] = &pools;
    let tamper = format!("UPDATE pools SET currency = 'usd' WHERE name = '{}'", broken.name);
    assert_eq!(test.place.connect().await.execute_unprepared(&tamper).await.unwrap().rows_affected(), 1);
    let ids = pools.each_ref().map(|pool| pool.id);
    let mut found = test.store.pools().find_many(scene.scope(), &ids).await.unwrap();
    found.sort_unstable_by_key(|seen| seen.peek().id);
    assert_eq!(found.iter().map(|seen| seen.peek().id).collect::<Vec<_>>(), [first.id, last.id]);
    let page = test.store.pools().list(scene.scope(), None, PageRequest { before: None, limit: 10 }).await.unwrap();
    assert_eq!(page.ids.len(), 3, "it is there");
    let alone = test.store.pools().find(scene.scope(), broken.id).await;
    let Err(StoreError::Corrupt(found)) = alone else { panic!("{alone:?}") };
    assert!(found.starts_with("pools.currency of row ("), "{found}");
    let report = test.store.check_records(|_| ()).await.unwrap();
    assert_eq!((report.records, report.broken, report.findings), (whole.records, 1, vec![found]));
}

#[tokio::test]
async fn a_record_that_breaks_a_rule_is_left_out_of_batches_and_named_on_sqlite() {
    a_record_that_breaks_a_rule_is_left_out_of_batches_and_named(sqlite().await).await;
}

#[tokio::test]
async fn a_record_that_breaks_a_rule_is_left_out_of_batches_and_named_on_postgres() {
    a_record_that_breaks_a_rule_is_left_out_of_batches_and_named(postgres().await).await;
}

#[tokio::test]
async fn a_mark_whose_parts_do_not_add_up_is_named() {
    let (test, day) = (sqlite().await, 20_000);
    let scene = Scene::founded(&test.store, 1).await;
    let worth = Worth { available: 700, capital: 700, ..Worth::default() };
    let mut changes = Changes::by(&Caller::system());
    changes.insert(EquityMark::new(scene.id(), day, end_of(day), worth).unwrap());
    test.store.commit(changes).await.unwrap();
    let tamper = "PRAGMA ignore_check_constraints = ON; DROP TRIGGER equity_marks_are_never_updated; \
         UPDATE equity_marks SET receivable_cents = 5";
    test.place.connect().await.execute_unprepared(tamper).await.unwrap();
    let report = test.store.check_records(|_| ()).await.unwrap();
    let [found] = report.findings.as_slice() else { panic!("{report:?}") };
    assert!(found.starts_with("equity_marks.amounts of row (") && found.contains("705 cents"), "{found}");
    assert_eq!(test.store.equity_marks().list(scene.scope(), day, day + 1).await.unwrap(), []);
}

#[tokio::test]
async fn a_session_that_works_without_tokens_is_named() {
    let test = sqlite().await;
    let scene = Scene::founded(&test.store, 1).await;
    let session = scene.samples.account_session_in(scene.id(), SessionStatus::Active);
    let mut changes = Changes::by(&Caller::system());
    changes.insert(session.clone());
    test.store.commit(changes).await.unwrap();
    let tamper = "UPDATE account_sessions SET access_expires_at = NULL, refresh_expires_at = NULL";
    test.place.connect().await.execute_unprepared(tamper).await.unwrap();
    let report = test.store.check_records(|_| ()).await.unwrap();
    let [found] = report.findings.as_slice() else { panic!("{report:?}") };
    assert!(found.starts_with("account_sessions.status of row (") && found.contains("has tokens"), "{found}");
    let alone = test.store.account_sessions().find_live_account_session(scene.scope(), session.account_id).await;
    assert_eq!(alone.map(|_| ()), Err(StoreError::Corrupt(found.clone())));
}

async fn a_purchase_whose_price_and_fee_are_not_what_the_ledger_paid_is_found(test: TestStore) {
    let scene = Scene::founded(&test.store, 1).await;
    let purchase = scene.purchase(&test.store, PurchaseStatus::Paid).await;
    let unpaid = async || {
        let found = test.store.check_purchases(|_| ()).await.unwrap().findings;
        let unpaid = found.into_iter().filter_map(|drift| match drift.of {
            PurchaseFault::Unpaid(cents) => Some((drift.purchase_id, cents)),
            PurchaseFault::Money { .. }
            | PurchaseFault::Pending { .. }
            | PurchaseFault::Items(_)
            | PurchaseFault::Missing => None,
        });
        unpaid.collect::<Vec<_>>()
    };
    assert_eq!(unpaid().await, [(purchase.terms.id, 1_220)], "no entry has paid it");
    let entry = scene.samples.booked(None, &purchase);
    assert_eq!(entry.posting, Posting::Paid);
    let mut changes = Changes::by(&Caller::system());
    changes.append(AppendedRow::Ledger(entry));
    test.store.commit(changes).await.unwrap();
    assert_eq!(unpaid().await, []);
    let db = test.place.connect().await;
    db.execute_unprepared("UPDATE purchases SET executed_fee_cents = executed_fee_cents - 1").await.unwrap();
    assert_eq!(unpaid().await, [(purchase.terms.id, -1)]);
    let found = test.store.purchases().find_many(scene.scope(), &[purchase.terms.id]).await.unwrap();
    assert_eq!(found[0].peek().platform_fee().get(), 29);
}

#[tokio::test]
async fn a_purchase_whose_price_and_fee_are_not_what_the_ledger_paid_is_found_on_sqlite() {
    a_purchase_whose_price_and_fee_are_not_what_the_ledger_paid_is_found(sqlite().await).await;
}

#[tokio::test]
async fn a_purchase_whose_price_and_fee_are_not_what_the_ledger_paid_is_found_on_postgres() {
    a_purchase_whose_price_and_fee_are_not_what_the_ledger_paid_is_found(postgres().await).await;
}
