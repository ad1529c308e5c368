//! Promises about the repeated reads of the engine.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::contracts::contract::{Contract, ContractEvent, ContractParts};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseParts, PurchaseStatus, PurchaseTerms};
use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::Cents;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{ActiveContract, ActivityQuery, RecordBatch, Store};

use crate::fakes::SequentialIds;
use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, revise, values};

pub async fn open_purchases_are_read_by_marketplace_and_status_oldest_first_a_slice_at_a_time(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let mut made = Vec::new();
    for place in ["csfloat", "dmarket"] {
        for status in [PurchaseStatus::Paid, PurchaseStatus::Traded, PurchaseStatus::Paid, PurchaseStatus::Failed] {
            let parts = scene.new_purchase(status).into_parts();
            let terms = PurchaseTerms { marketplace: text(place), ..parts.terms };
            let purchase = Purchase::restore(PurchaseParts { terms, ..parts }).unwrap();
            insert(store, [purchase.clone().into()]).await.unwrap();
            made.push(purchase);
        }
    }
    abroad.purchase(store, PurchaseStatus::Paid).await;
    let (scope, place) = (scene.scope(), text("dmarket"));
    let paid: Vec<&Purchase> = made.iter().skip(4).filter(|made| made.status == PurchaseStatus::Paid).collect();
    let mut after = None;
    for expected in paid {
        let slice = RecordBatch { after, most: 1 };
        let found = values(store.purchases().list_open(scope, &place, PurchaseStatus::Paid, slice).await.unwrap());
        assert_eq!(found, std::slice::from_ref(expected));
        after = Some(expected.terms.id);
    }
    let beyond = RecordBatch { after, most: 9 };
    assert_eq!(values(store.purchases().list_open(scope, &place, PurchaseStatus::Paid, beyond).await.unwrap()), []);
    for (status, number) in [(PurchaseStatus::Paid, 2), (PurchaseStatus::Traded, 1), (PurchaseStatus::Failed, 0)] {
        let all = RecordBatch { after: None, most: 9 };
        let found = store.purchases().list_open(scope, &place, status, all).await.unwrap();
        assert_eq!(found.len(), number, "{status}");
    }
}

pub async fn items_are_read_by_status_and_by_where_they_are_on_sale_a_slice_at_a_time(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let scope = scene.scope();
    let mut listed = Vec::new();
    for status in [ItemStatus::Listed, ItemStatus::InInventory, ItemStatus::Listed] {
        let (item, _) = scene.item_in(store, status).await;
        listed.extend((status == ItemStatus::Listed).then_some(item));
    }
    abroad.item_in(store, ItemStatus::Listed).await;
    let place = listed[0].sale_place.clone().unwrap().marketplace;
    let mut after = None;
    for expected in &listed {
        let slice = RecordBatch { after, most: 1 };
        let in_status = values(store.items().list_in(scope, ItemStatus::Listed, slice).await.unwrap());
        assert_eq!(in_status, std::slice::from_ref(expected));
        let on_sale = values(store.items().list_on_sale(scope, &place, ItemStatus::Listed, slice).await.unwrap());
        assert_eq!(on_sale, in_status);
        after = Some(expected.id);
    }
    let (all, elsewhere) = (RecordBatch { after: None, most: 9 }, text("elsewhere"));
    assert_eq!(store.items().list_in(scope, ItemStatus::InInventory, all).await.unwrap().len(), 1);
    let account = listed[0].account_name.clone();
    scene.item_in(store, ItemStatus::Settled).await;
    let held = values(store.items().list_of_account(scope, &account, all).await.unwrap());
    assert_eq!(held.len(), 3, "what has come to its end is left out");
    let rest = RecordBatch { after: Some(held[0].id), most: 1 };
    assert_eq!(values(store.items().list_of_account(scope, &account, rest).await.unwrap()), held[1..2]);
    assert_eq!(values(store.items().list_of_account(scope, &text("nobody"), all).await.unwrap()), []);
    let of = async |place, status| values(store.items().list_on_sale(scope, place, status, all).await.unwrap());
    assert_eq!(of(&elsewhere, ItemStatus::Listed).await, []);
    assert_eq!(of(&place, ItemStatus::InInventory).await, []);
}

pub async fn active_contracts_are_listed_with_their_versions_and_filter_set_versions(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let set = scene.samples.filter_set(scene.id());
    let parts = scene.samples.contract(scene.id()).into_parts();
    let other = Contract::restore(ContractParts { filter_set_id: Some(set.id), ..parts }).unwrap();
    insert(store, [set.clone().into(), other.clone().into()]).await.unwrap();
    insert(store, [scene.samples.contract_draft(scene.id()).into()]).await.unwrap();
    let at_work =
        async |after, most| store.contracts().list_at_work(scene.scope(), RecordBatch { after, most }).await.unwrap();
    let first = ActiveContract { contract_id: scene.contract.id, version: 1, filter_set_version: None };
    let second = ActiveContract { contract_id: other.id, version: 1, filter_set_version: Some(1) };
    assert_eq!(at_work(None, 9).await, [first, second]);
    assert_eq!(at_work(None, 1).await, [first]);
    assert_eq!(at_work(Some(first.contract_id), 9).await, [second]);

    let seen = store.filter_sets().find(scene.scope(), set.id).await.unwrap().unwrap();
    revise(store, seen, |set| tradepost_domain::contracts::filter_set::FilterSet { updated_at: minute(1), ..set })
        .await
        .unwrap();
    assert_eq!(at_work(Some(first.contract_id), 9).await, [ActiveContract { filter_set_version: Some(2), ..second }]);
    let seen = store.contracts().find(scene.scope(), other.id).await.unwrap().unwrap();
    revise(store, seen, |contract| contract.apply(ContractEvent::Paused { reason: None }, minute(1)).unwrap())
        .await
        .unwrap();
    assert_eq!(at_work(None, 9).await, [first]);
    assert_eq!(
        store.contracts().list_at_work(abroad.scope(), RecordBatch { after: None, most: 9 }).await.unwrap().len(),
        1
    );
}

pub async fn what_a_contract_did_lately_is_what_its_purchases_come_to(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (ids, noon) = (SequentialIds::seeded(9), start().plus(Duration::hours(36)));
    let mut made = Vec::new();
    // The later a purchase by its stored time, the earlier its id: the clock was set back in between.
    for (at, name) in [(noon, "AK-47 | Redline (Field-Tested)"), (start(), "AWP | Asiimov (Field-Tested)")] {
        for status in PurchaseStatus::ALL {
            made.push(made_at(&scene, ids.mint(at), at, *status, name));
        }
    }
    for purchase in &made {
        insert(store, [purchase.clone().into()]).await.unwrap();
    }
    abroad.purchase(store, PurchaseStatus::Paid).await;
    let name = text("AK-47 | Redline (Field-Tested)");
    let ask = async |query| store.contracts().find_activity(scene.scope(), scene.contract.id, query).await.unwrap();

    let nothing = ActivityQuery::default();
    assert_eq!(ask(nothing).await, Activity::default());
    let today: Vec<_> =
        made.iter().filter(|purchase| purchase.created_at == noon).map(Purchase::counter_delta).collect();
    let spent = today.iter().map(|footprint| footprint.spent.get() + footprint.reserved.get()).sum();
    let counted = today.iter().map(|footprint| footprint.filled_quantity + footprint.open_quantity).sum();
    let whole = ActivityQuery {
        spent_since: Some(noon.start_of_day()),
        of_item_name: Some((&name, 100)),
        last_purchase: true,
        before: None,
    };
    let found = Activity {
        spent_today: Cents::new(spent).unwrap(),
        of_item_name: counted,
        last_purchase_at: Some(noon),
        ..Activity::default()
    };
    assert_eq!(ask(whole).await, found);
    let up_to = ActivityQuery { of_item_name: Some((&name, 3)), ..nothing };
    assert_eq!(ask(up_to).await.of_item_name, 3);
    let unknown = store.contracts().find_activity(scene.scope(), scene.samples.id(), whole).await.unwrap();
    assert_eq!(unknown, Activity::default());
}

pub async fn what_a_contract_did_by_a_time_leaves_out_what_it_did_later(store: &dyn Store) {
    let (scene, ids) = (Scene::founded(store, 1).await, SequentialIds::seeded(9));
    let name = text("AK-47 | Redline (Field-Tested)");
    let at = |hour| start().plus(Duration::hours(hour));
    let mut used = BTreeMap::new();
    // The later a purchase by its stored time, the earlier its id.
    for hour in [3, 2, 1] {
        let purchase = made_at(&scene, ids.mint(at(hour)), at(hour), PurchaseStatus::Paid, name.as_str());
        used.insert(hour, purchase.counter_delta().spent.plus(purchase.counter_delta().reserved).unwrap());
        insert(store, [purchase.into()]).await.unwrap();
    }
    let query = ActivityQuery {
        spent_since: Some(at(2)),
        of_item_name: Some((&name, 9)),
        last_purchase: true,
        before: Some(at(3)),
    };
    let found = store.contracts().find_activity(scene.scope(), scene.contract.id, query).await.unwrap();
    let expected =
        Activity { spent_today: used[&2], of_item_name: 2, last_purchase_at: Some(at(2)), ..Activity::default() };
    assert_eq!(found, expected);
}

pub async fn what_has_failed_since_is_not_what_a_contract_bought_last(store: &dyn Store) {
    let (scene, ids) = (Scene::founded(store, 1).await, SequentialIds::seeded(9));
    let query = ActivityQuery { last_purchase: true, ..ActivityQuery::default() };
    // The later a purchase by its stored time, the earlier its id.
    let over = [PurchaseStatus::Refunded, PurchaseStatus::Failed, PurchaseStatus::Settled, PurchaseStatus::Settled];
    for (hour, status) in (0..4).rev().zip(over) {
        let at = start().plus(Duration::hours(hour));
        let purchase = made_at(&scene, ids.mint(at), at, status, "AK-47 | Redline (Field-Tested)");
        insert(store, [purchase.into()]).await.unwrap();
    }
    let found = store.contracts().find_activity(scene.scope(), scene.contract.id, query).await.unwrap();
    assert_eq!(found.last_purchase_at, Some(start().plus(Duration::hours(1))));
}

fn made_at(scene: &Scene, id: PurchaseId, at: Timestamp, status: PurchaseStatus, name: &str) -> Purchase {
    let parts = scene.new_purchase(status).into_parts();
    let terms = PurchaseTerms { id, market_hash_name: text(name), ..parts.terms };
    let updated_at = parts.updated_at.max(at);
    Purchase::restore(PurchaseParts { terms, created_at: at, updated_at, ..parts }).unwrap()
}
