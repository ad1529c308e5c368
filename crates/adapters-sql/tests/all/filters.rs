//! Lists with filters look at a bounded number of records.

use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::Records as _;
use tradepost_ports::store::{MOST_LOOKED_AT, PageRequest, PurchaseFilter, Store as _};
use tradepost_testkit::samples::{Scene, minute, text};

use crate::support::sqlite;

#[tokio::test]
async fn a_page_of_several_filters_looks_at_5_000_records_and_continues_after_them() {
    let test = sqlite().await;
    let store = &test.store;
    let scene = Scene::founded(store, 1).await;
    let made = |number: u32, marketplace: &str| {
        let mut parts = scene.new_purchase(PurchaseStatus::Pending).into_parts();
        parts.terms.marketplace = text(marketplace);
        parts.created_at = minute(i64::from(number));
        parts.updated_at = parts.created_at;
        Purchase::restore(parts).unwrap()
    };
    let mut changes = Changes::by(&Caller::system());
    let oldest = made(0, "skinport");
    changes.insert(oldest.clone());
    for number in 1..=MOST_LOOKED_AT + 1 {
        changes.insert(made(number, "csfloat"));
    }
    store.commit(changes).await.unwrap();
    let (scope, place) = (scene.scope(), text("skinport"));
    let filter =
        PurchaseFilter { marketplace: Some(&place), contract_id: Some(scene.contract.id), ..PurchaseFilter::default() };
    let page = async |before| store.purchases().list(scope, filter, PageRequest { before, limit: 50 }).await.unwrap();
    let first = page(None).await;
    assert_eq!((first.ids.len(), first.more), (0, true));
    let second = page(first.next()).await;
    assert_eq!((second.ids.as_slice(), second.next()), ([oldest.terms.id].as_slice(), None));
    let counted = store.purchases().count(scope, filter).await.unwrap();
    assert!(counted.truncated && counted.counts.iter().all(|(_, count)| *count == 0), "{counted:?}");
    let place = text("csfloat");
    let filter = PurchaseFilter { marketplace: Some(&place), ..PurchaseFilter::default() };
    let counted = store.purchases().count(scope, filter).await.unwrap();
    assert_eq!((counted.counts, counted.truncated), (vec![(1, i64::from(MOST_LOOKED_AT))], true));
}
