//! Promises about intents: they are read back as they were written, only at home, and conflicting ones are rejected.

use tradepost_domain::contracts::contract::{ApprovalMode, ClosingReason, ContractEvent};
use tradepost_domain::contracts::intent::{
    DecisionBasis, HELD_FOR, Intent, IntentEvent, IntentKind, IntentParts, IntentResult, IntentStatus, IntentTerms,
    LOOKS, ListingTarget, Moment, Target, UNSERVED_LIFETIME, WithdrawalCause,
};
use tradepost_domain::money::Cents;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{
    IntentFilter, PageRequest, ProposalQuery, Proposals, ProposedPurchases, Store, StoreError, Unique, Worlds,
};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, revise, value, values};

pub async fn an_intent_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in IntentStatus::ALL {
        let intent = kept(store, scene.samples.intent(scene.id(), scene.contract.id, *status)).await;
        let read = value(store.intents().find(scene.scope(), intent.terms.id).await.unwrap());
        assert_eq!(read, Some(intent), "{status}");
    }
}

pub async fn an_intent_of_every_kind_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let terms =
        |kind, target| IntentTerms { kind, target, ..scene.samples.intent_terms(scene.id(), scene.contract.id) };
    let listing = ListingTarget { phase: Some(text("Phase 2")), ..scene.samples.listing_target() };
    let basis = DecisionBasis {
        evaluation_id: Some(scene.samples.id()),
        filter_set_version: Some(3),
        fair_value: Some(Cents::new(1_700).unwrap()),
    };
    let buy = IntentTerms { basis, ..terms(IntentKind::Buy, Target::Listing(listing)) };
    let offer = terms(IntentKind::AcceptOffer, Target::Offer(scene.samples.external_id()));
    let proposed = [buy, offer].map(|terms| Intent::propose(terms, Moment::of(start())).unwrap());
    let sales = IntentKind::ALL.iter().filter(|kind| kind.claims_item()).map(|kind| {
        let item = scene.samples.id();
        scene.samples.sale_intent(scene.id(), item, *kind, IntentStatus::Executing)
    });
    let results = [
        IntentResult::Purchase(scene.samples.id()),
        IntentResult::Listing(scene.samples.external_id()),
        IntentResult::Offer(scene.samples.id()),
    ];
    let ended = results.map(|result| {
        let succeeded = scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Succeeded);
        let parts = IntentParts { result: Some(result), ..(*succeeded).clone() };
        Intent::restore(parts).unwrap()
    });
    let postponed = scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Approved);
    let postponed = postpone(postponed);
    for intent in sales.chain(proposed).chain(ended).chain([postponed]) {
        kept(store, intent.clone()).await;
        let read = value(store.intents().find(scene.scope(), intent.terms.id).await.unwrap());
        assert_eq!(read, Some(intent));
    }
}

pub async fn an_intent_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let one = kept(store, proposed(&home)).await;
    let other = kept(store, proposed(&home)).await;
    let ids = [other.terms.id, home.samples.id(), one.terms.id];
    assert_eq!(value(store.intents().find(abroad.scope(), one.terms.id).await.unwrap()), None);
    assert_eq!(values(store.intents().find_many(abroad.scope(), &ids).await.unwrap()), []);
    let waiting = store.intents().list_waiting_of(abroad.scope(), home.contract.id, 9).await.unwrap();
    assert_eq!(values(waiting), []);
    assert_eq!(values(store.intents().list_in(abroad.scope(), IntentStatus::Proposed, None, 9).await.unwrap()), []);
    let mut found = values(store.intents().find_many(home.scope(), &ids).await.unwrap());
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
        store.intents().list(scene.scope(), IntentFilter { contract_id, kind, status }, page).await.unwrap().ids
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
        values(store.intents().list_in(scene.scope(), IntentStatus::Approved, after, most).await.unwrap())
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
    let waiting = async |most| values(store.intents().list_waiting_of(scene.scope(), contract, most).await.unwrap());
    assert_eq!(waiting(9).await, [one.clone(), other.clone()]);
    assert_eq!(waiting(1).await, std::slice::from_ref(&one));
    let overdue = async |at, most| values(store.intents().list_overdue(Worlds::Real, at, most).await.unwrap());
    assert_eq!(overdue(Moment::of(start()), 9).await, []);
    assert_eq!(overdue(Moment::of(one.expires_at), 9).await, std::slice::from_ref(&one));
    // An approved intent waits for the next passes of engines, or for a day.
    let unserved = Moment::of(other.held_until.plus(UNSERVED_LIFETIME));
    assert!(other.expires_at < one.expires_at);
    assert_eq!(overdue(unserved, 1).await, std::slice::from_ref(&other));
    assert_eq!(overdue(unserved, 9).await, [other, one]);
}

pub async fn an_intent_waits_by_both_clocks_and_for_the_looks_of_engines(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let approved = scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Approved);
    let mut intent = kept(store, approved).await;
    let over = Moment { market: intent.expires_at, server: intent.held_until };
    let overdue = async |at| values(store.intents().list_overdue(Worlds::Real, at, 9).await.unwrap());
    for _ in 0..LOOKS {
        assert_eq!(overdue(over).await, []);
        let seen = store.intents().find(scene.scope(), intent.terms.id).await.unwrap().unwrap();
        revise(store, seen, postpone).await.unwrap();
        intent = postpone(intent);
    }
    assert_eq!(overdue(Moment { market: start(), ..over }).await, []);
    assert_eq!(overdue(Moment { server: start(), ..over }).await, []);
    assert_eq!(over.server, start().plus(HELD_FOR));
    assert_eq!(overdue(over).await, [intent]);
}

pub async fn what_a_contract_has_proposed_is_summed(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (contract, samples) = (scene.contract.id, &scene.samples);
    let propose = |mode, at| {
        let terms = IntentTerms { approval_mode: mode, ..samples.intent_terms(scene.id(), contract) };
        Intent::propose(terms, Moment::of(at)).unwrap()
    };
    let dry = |at| {
        let withdrawn = IntentEvent::Withdrawn { cause: WithdrawalCause::DryRun, reason: None };
        propose(ApprovalMode::DryRun, at).apply(withdrawn, Moment::of(at)).unwrap()
    };
    for intent in [propose(ApprovalMode::Manual, start()), dry(start()), dry(minute(1)), dry(minute(2))] {
        kept(store, intent).await;
    }
    for status in [IntentStatus::Rejected, IntentStatus::Executing] {
        kept(store, samples.intent(scene.id(), contract, status)).await;
    }
    kept(store, samples.intent(scene.id(), samples.id(), IntentStatus::Proposed)).await;
    let name = text("AK-47 | Redline (Field-Tested)");
    let sum = async |which, item_name| {
        let query = ProposalQuery { which, open_since: minute(1), today: minute(2), item_name };
        store.intents().sum_proposed_purchases(scene.scope(), contract, query).await.unwrap()
    };
    let cents = |amount| Cents::new(amount).unwrap();
    let expected = ProposedPurchases {
        quantity: 3,
        open: 2,
        cost: cents(4_500),
        cost_today: cents(1_500),
        of_item_name: 3,
        last_at: Some(minute(2)),
    };
    assert_eq!(sum(Proposals::Dry, &name).await, expected);
    let other = text("AWP | Asiimov (Field-Tested)");
    assert_eq!(sum(Proposals::Dry, &other).await, ProposedPurchases { of_item_name: 0, ..expected });
    let waiting = sum(Proposals::Waiting, &name).await;
    assert_eq!((waiting.quantity, waiting.open, waiting.cost), (1, 0, cents(1_500)));
    let unknown = ProposalQuery { which: Proposals::Dry, open_since: start(), today: start(), item_name: &name };
    let unknown = store.intents().sum_proposed_purchases(scene.scope(), samples.id(), unknown).await.unwrap();
    assert_eq!(unknown, ProposedPurchases::default());
}

pub async fn items_that_a_contract_has_proposed_for_sale_are_counted_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (contract, samples) = (scene.contract.id, &scene.samples);
    let [one, other, unknown] = [samples.id(), samples.id(), samples.id()];
    let withdrawn = IntentEvent::Withdrawn { cause: WithdrawalCause::DryRun, reason: None };
    for item in [one, one, other] {
        let sale = samples.sale_intent(scene.id(), item, IntentKind::List, IntentStatus::Proposed);
        let terms = IntentTerms {
            id: samples.id(),
            contract_id: Some(contract),
            approval_mode: ApprovalMode::DryRun,
            ..sale.terms.clone()
        };
        let dry = Intent::propose(terms, Moment::of(start())).unwrap();
        kept(store, dry.apply(withdrawn.clone(), Moment::of(start())).unwrap()).await;
    }
    let count = async |which, item| {
        let found = store.intents().count_proposed_listings(scene.scope(), contract, which, item).await.unwrap();
        (found.items, found.has_item)
    };
    assert_eq!(count(Proposals::Dry, one).await, (2, true));
    assert_eq!(count(Proposals::Dry, unknown).await, (2, false));
    assert_eq!(count(Proposals::Waiting, one).await, (0, false));
}

pub async fn intents_of_contracts_that_stopped_are_stranded(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let waiting = kept(store, proposed(&scene)).await;
    kept(store, scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Executing)).await;
    kept(store, scene.samples.sale_intent(scene.id(), scene.samples.id(), IntentKind::List, IntentStatus::Proposed))
        .await;
    assert_eq!(values(store.intents().list_stranded(9).await.unwrap()), []);
    let contract = store.contracts().find(scene.scope(), scene.contract.id).await.unwrap().unwrap();
    let closed = ContractEvent::Closed(ClosingReason::Cancelled);
    revise(store, contract, |contract| contract.apply(closed, minute(1)).unwrap()).await.unwrap();
    assert_eq!(values(store.intents().list_stranded(9).await.unwrap()), [waiting]);
    assert_eq!(values(store.intents().list_stranded(0).await.unwrap()), []);
}

pub async fn a_listing_has_one_live_intent_to_buy_it(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let held = kept(store, proposed(&home)).await;
    let again = |scene: &Scene, marketplace: &str| {
        let Target::Listing(listing) = held.terms.target.clone() else { panic!("it is about a listing") };
        let target = Target::Listing(ListingTarget { marketplace: text(marketplace), ..listing });
        let terms = IntentTerms { target, ..scene.samples.intent_terms(scene.id(), scene.contract.id) };
        Intent::propose(terms, Moment::of(start())).unwrap()
    };
    let same = again(&home, "csfloat");
    assert_eq!(insert(store, [same.clone().into()]).await, Err(StoreError::Duplicate(Unique::LiveBuy)));
    kept(store, again(&home, "dmarket")).await;
    kept(store, again(&abroad, "csfloat")).await;
    withdraw(store, &home, &held).await;
    kept(store, same).await;
}

pub async fn an_item_has_one_live_intent(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let item = scene.samples.id();
    let intent = |kind| scene.samples.sale_intent(scene.id(), item, kind, IntentStatus::Proposed);
    let held = kept(store, intent(IntentKind::List)).await;
    for kind in IntentKind::ALL.iter().filter(|kind| kind.claims_item()) {
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
        let mut counts = store.counters().by_status(scene.scope(), Kind::Intent, contract).await.unwrap();
        counts.retain(|(_, count)| *count != 0);
        counts
    };
    let (waiting, gone) = (IntentStatus::Proposed.code(), IntentStatus::Cancelled.code());
    assert_eq!(counted(None).await, [(waiting, 2), (gone, 1)]);
    assert_eq!(counted(Some(scene.contract.id)).await, [(waiting, 1), (gone, 1)]);
}

fn postpone(intent: Intent) -> Intent {
    let postponed = IntentEvent::Postponed { check: text("NO_ACCOUNT_READY") };
    intent.apply(postponed, Moment::of(start())).unwrap()
}

fn proposed(scene: &Scene) -> Intent {
    scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Proposed)
}

async fn kept(store: &dyn Store, intent: Intent) -> Intent {
    insert(store, [intent.clone().into()]).await.unwrap();
    intent
}

async fn withdraw(store: &dyn Store, scene: &Scene, intent: &Intent) {
    let seen = store.intents().find(scene.scope(), intent.terms.id).await.unwrap().unwrap();
    let withdrawn = IntentEvent::Withdrawn { cause: WithdrawalCause::Person, reason: None };
    revise(store, seen, |intent| intent.apply(withdrawn, Moment::of(minute(1))).unwrap()).await.unwrap();
}
