//! Promises about intents: what is written is read back, only at home, and what excludes each other is refused.

use tradepost_domain::contract::{ClosingReason, ContractEvent};
use tradepost_domain::intent::{
    Grounds, Intent, IntentEvent, IntentKind, IntentParts, IntentResult, IntentStatus, IntentTerms, ListingTarget,
    Target, WithdrawalCause,
};
use tradepost_domain::money::Cents;

use super::{insert, revise, value, values};
use crate::record::Kind;
use crate::store::{IntentFilter, PageRequest, Store, StoreError, Unique};
use crate::testing::samples::{Scene, minute, start, text};

pub async fn an_intent_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in IntentStatus::ALL {
        let intent = kept(store, scene.samples.intent(scene.id(), scene.contract.id, *status)).await;
        let read = value(store.find_intent(scene.scope(), intent.terms.id).await.unwrap());
        assert_eq!(read, Some(intent), "{status}");
    }
}

pub async fn an_intent_of_every_kind_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let terms =
        |kind, target| IntentTerms { kind, target, ..scene.samples.intent_terms(scene.id(), scene.contract.id) };
    let listing = ListingTarget { phase: Some(text("Phase 2")), ..scene.samples.listing_target() };
    let grounds = Grounds {
        evaluation_id: Some(scene.samples.id()),
        filter_set_version: Some(3),
        fair_value: Some(Cents::new(1_700).unwrap()),
    };
    let buy = IntentTerms { grounds, ..terms(IntentKind::Buy, Target::Listing(listing)) };
    let offer = terms(IntentKind::AcceptOffer, Target::Offer(scene.samples.external_id()));
    let proposed = [buy, offer].map(|terms| Intent::propose(terms, start()).unwrap());
    let sales = IntentKind::ALL.iter().filter(|kind| kind.is_of_sale()).map(|kind| {
        let item = scene.samples.id();
        scene.samples.sale_intent(scene.id(), item, *kind, IntentStatus::Executing)
    });
    let results = [IntentResult::Purchase(scene.samples.id()), IntentResult::Listing(scene.samples.external_id())];
    let ended = results.map(|result| {
        let succeeded = scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Succeeded);
        let parts = IntentParts { result: Some(result), ..(*succeeded).clone() };
        Intent::restore(parts).unwrap()
    });
    for intent in sales.chain(proposed).chain(ended) {
        kept(store, intent.clone()).await;
        let read = value(store.find_intent(scene.scope(), intent.terms.id).await.unwrap());
        assert_eq!(read, Some(intent));
    }
}

pub async fn an_intent_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let one = kept(store, proposed(&home)).await;
    let other = kept(store, proposed(&home)).await;
    let ids = [other.terms.id, home.samples.id(), one.terms.id];
    assert_eq!(value(store.find_intent(abroad.scope(), one.terms.id).await.unwrap()), None);
    assert_eq!(values(store.find_intents(abroad.scope(), &ids).await.unwrap()), []);
    let waiting = store.list_waiting_intents_of(abroad.scope(), home.contract.id, 9).await.unwrap();
    assert_eq!(values(waiting), []);
    assert_eq!(values(store.list_intents_in(abroad.scope(), IntentStatus::Proposed, None, 9).await.unwrap()), []);
    let mut found = values(store.find_intents(home.scope(), &ids).await.unwrap());
    found.sort_by_key(|intent| intent.terms.id);
    assert_eq!(found, [one, other]);
}

pub async fn intents_are_listed_by_contract_kind_and_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (here, samples) = (scene.contract.id, &scene.samples);
    let buy = kept(store, samples.intent(scene.id(), here, IntentStatus::Proposed)).await.terms.id;
    let done = kept(store, samples.intent(scene.id(), here, IntentStatus::Succeeded)).await.terms.id;
    let elsewhere = kept(store, samples.intent(scene.id(), samples.id(), IntentStatus::Proposed)).await.terms.id;
    let sale = samples.sale_intent(scene.id(), samples.id(), IntentKind::List, IntentStatus::Proposed);
    let sale = kept(store, sale).await.terms.id;
    let listed = async |contract_id, kind, status| {
        let page = PageRequest { before: None, limit: 9 };
        store.list_intents(scene.scope(), IntentFilter { contract_id, kind, status }, page).await.unwrap().ids
    };
    let (buying, waiting) = (Some(IntentKind::Buy), Some(IntentStatus::Proposed));
    assert_eq!(listed(None, None, None).await, [sale, elsewhere, done, buy]);
    assert_eq!(listed(Some(here), None, None).await, [done, buy]);
    assert_eq!(listed(None, buying, None).await, [elsewhere, done, buy]);
    assert_eq!(listed(None, None, waiting).await, [sale, elsewhere, buy]);
    assert_eq!(listed(None, buying, waiting).await, [elsewhere, buy]);
    assert_eq!(listed(Some(here), None, waiting).await, [buy]);
    assert_eq!(listed(Some(here), Some(IntentKind::List), waiting).await, []);
}

pub async fn intents_in_a_status_are_read_oldest_first_some_at_a_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let approved = || scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Approved);
    let first = kept(store, approved()).await;
    kept(store, proposed(&scene)).await;
    let second = kept(store, approved()).await;
    let read = async |after, most| {
        values(store.list_intents_in(scene.scope(), IntentStatus::Approved, after, most).await.unwrap())
    };
    assert_eq!(read(None, 9).await, [first.clone(), second.clone()]);
    assert_eq!(read(None, 1).await, std::slice::from_ref(&first));
    assert_eq!(read(Some(first.terms.id), 9).await, [second]);
}

pub async fn intents_that_wait_are_found_by_contract_and_by_age(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let contract = scene.contract.id;
    let intent = |status| scene.samples.intent(scene.id(), contract, status);
    let (one, other) =
        (kept(store, intent(IntentStatus::Proposed)).await, kept(store, intent(IntentStatus::Approved)).await);
    kept(store, intent(IntentStatus::Executing)).await;
    let elsewhere = scene.samples.intent(scene.id(), scene.samples.id(), IntentStatus::Rejected);
    kept(store, elsewhere).await;
    let waiting = async |most| values(store.list_waiting_intents_of(scene.scope(), contract, most).await.unwrap());
    assert_eq!(waiting(9).await, [one.clone(), other.clone()]);
    assert_eq!(waiting(1).await, std::slice::from_ref(&one));
    // What a person approved ends before what waits for a person.
    assert!(other.expires_at < one.expires_at);
    let overdue = async |until, most| values(store.list_overdue_intents(until, most).await.unwrap());
    assert_eq!(overdue(start(), 9).await, []);
    assert_eq!(overdue(other.expires_at, 9).await, std::slice::from_ref(&other));
    assert_eq!(overdue(one.expires_at, 1).await, std::slice::from_ref(&other));
    assert_eq!(overdue(one.expires_at, 9).await, [other, one]);
}

pub async fn intents_of_contracts_that_stopped_are_stranded(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let waiting = kept(store, proposed(&scene)).await;
    kept(store, scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Executing)).await;
    kept(store, scene.samples.sale_intent(scene.id(), scene.samples.id(), IntentKind::List, IntentStatus::Proposed))
        .await;
    assert_eq!(values(store.list_stranded_intents(9).await.unwrap()), []);
    let contract = store.find_contract(scene.scope(), scene.contract.id).await.unwrap().unwrap();
    let closed = ContractEvent::Closed(ClosingReason::Cancelled);
    revise(store, contract, |contract| contract.apply(closed, minute(1)).unwrap()).await.unwrap();
    assert_eq!(values(store.list_stranded_intents(9).await.unwrap()), [waiting]);
    assert_eq!(values(store.list_stranded_intents(0).await.unwrap()), []);
}

pub async fn a_listing_has_one_live_intent_to_buy_it(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let held = kept(store, proposed(&home)).await;
    let again = |scene: &Scene, marketplace: &str| {
        let Target::Listing(listing) = held.terms.target.clone() else { panic!("it is about a listing") };
        let target = Target::Listing(ListingTarget { marketplace: text(marketplace), ..listing });
        let terms = IntentTerms { target, ..scene.samples.intent_terms(scene.id(), scene.contract.id) };
        Intent::propose(terms, start()).unwrap()
    };
    let same = again(&home, "csfloat");
    assert_eq!(insert(store, [same.clone().into()]).await, Err(StoreError::Duplicate(Unique::LiveBuy)));
    kept(store, again(&home, "dmarket")).await;
    kept(store, again(&abroad, "csfloat")).await;
    withdraw(store, &home, &held).await;
    kept(store, same).await;
}

pub async fn an_item_has_one_live_intent_of_its_sale(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let item = scene.samples.id();
    let intent = |kind| scene.samples.sale_intent(scene.id(), item, kind, IntentStatus::Proposed);
    let held = kept(store, intent(IntentKind::List)).await;
    for kind in IntentKind::ALL.iter().filter(|kind| kind.is_of_sale()) {
        let refused = insert(store, [intent(*kind).into()]).await;
        assert_eq!(refused, Err(StoreError::Duplicate(Unique::LiveSale)), "{kind}");
    }
    let elsewhere = scene.samples.sale_intent(scene.id(), scene.samples.id(), IntentKind::List, IntentStatus::Proposed);
    kept(store, elsewhere).await;
    withdraw(store, &scene, &held).await;
    kept(store, intent(IntentKind::Delist)).await;
}

pub async fn intents_are_counted_by_status_and_contract(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let held = kept(store, proposed(&scene)).await;
    kept(store, proposed(&scene)).await;
    kept(store, scene.samples.sale_intent(scene.id(), scene.samples.id(), IntentKind::List, IntentStatus::Proposed))
        .await;
    withdraw(store, &scene, &held).await;
    let counted = async |contract| {
        let mut counts = store.count_by_status(scene.scope(), Kind::Intent, contract).await.unwrap();
        counts.retain(|(_, count)| *count != 0);
        counts
    };
    let (waiting, gone) = (IntentStatus::Proposed.code(), IntentStatus::Cancelled.code());
    assert_eq!(counted(None).await, [(waiting, 2), (gone, 1)]);
    assert_eq!(counted(Some(scene.contract.id)).await, [(waiting, 1), (gone, 1)]);
}

fn proposed(scene: &Scene) -> Intent {
    scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Proposed)
}

async fn kept(store: &dyn Store, intent: Intent) -> Intent {
    insert(store, [intent.clone().into()]).await.unwrap();
    intent
}

async fn withdraw(store: &dyn Store, scene: &Scene, intent: &Intent) {
    let seen = store.find_intent(scene.scope(), intent.terms.id).await.unwrap().unwrap();
    let withdrawn = IntentEvent::Withdrawn { cause: WithdrawalCause::Person, reason: None };
    revise(store, seen, |intent| intent.apply(withdrawn, minute(1)).unwrap()).await.unwrap();
}
