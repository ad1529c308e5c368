//! Promises about purchases that contracts would have made: they are listed and summed, and their listings are looked at again when it is time.

use time::Duration;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::{
    DecisionBasis, FOLLOWED_AFTER, FollowUpOutcome, Intent, IntentEvent, IntentTerms, Moment, SeenAgain, Target,
    WithdrawalCause,
};
use tradepost_domain::id::ContractId;
use tradepost_domain::money::Cents;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{PageRequest, Store, StoreError, Unique, WouldBuyFilter, WouldBuySum};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, revise, value, values};

pub async fn what_would_be_bought_is_read_back_before_and_after_its_follow_up(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let due = kept(store, would_buy(&scene, scene.contract.id, start())).await;
    assert_eq!(read(store, &scene, &due).await, Some(due.clone()));
    for (outcome, price) in [(FollowUpOutcome::PriceRaised, Cents::new(1_300).ok()), (FollowUpOutcome::OffSale, None)] {
        let other = kept(store, would_buy(&scene, scene.contract.id, start())).await;
        let seen = SeenAgain { outcome, price, at: start().plus(FOLLOWED_AFTER) };
        let done = see_again(store, &scene, &other, seen).await;
        assert_eq!(read(store, &scene, &other).await, Some(done), "{outcome}");
    }
}

pub async fn what_would_be_bought_is_listed_by_contract_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (here, elsewhere) = (home.contract.id, home.samples.id());
    let one = kept(store, would_buy(&home, here, start())).await.terms.id;
    let other = kept(store, would_buy(&home, elsewhere, start())).await.terms.id;
    kept(store, dry(&home, here, start())).await;
    let listed = async |scene: &Scene, contract| {
        let page = PageRequest { before: None, limit: 9 };
        store.intents().list_would_buys(scene.scope(), contract, page).await.unwrap().ids
    };
    assert_eq!(listed(&home, None).await, [other, one]);
    assert_eq!(listed(&home, Some(here)).await, [one]);
    assert_eq!(listed(&abroad, None).await, []);
    let second = PageRequest { before: Some(other), limit: 1 };
    assert_eq!(store.intents().list_would_buys(home.scope(), None, second).await.unwrap().ids, [one]);
}

pub async fn a_listing_would_be_bought_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let held = kept(store, would_buy(&scene, scene.contract.id, start())).await;
    let terms = IntentTerms { id: scene.samples.id(), ..held.terms.clone() };
    let again = |terms: IntentTerms| withdrawn(Intent::propose(terms, Moment::of(start())).unwrap());
    let refused = insert(store, [again(terms.clone()).followed().unwrap().into()]).await;
    assert_eq!(refused, Err(StoreError::Duplicate(Unique::LiveBuy)));
    // A dry run at a marketplace where things are bought counts for itself.
    kept(store, again(terms)).await;
}

pub async fn follow_ups_are_found_when_they_are_due(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let contract = home.contract.id;
    let late = kept(store, would_buy(&home, contract, minute(1))).await;
    let early = kept(store, would_buy(&home, contract, start())).await;
    kept(store, dry(&home, contract, start())).await;
    let due = async |scene: &Scene, marketplace: &str, until: Timestamp, most| {
        let (scope, marketplace) = (scene.scope(), text(marketplace));
        values(store.intents().list_to_follow_up(scope, &marketplace, until, most).await.unwrap())
    };
    let (first, both) = (start().plus(FOLLOWED_AFTER), minute(1).plus(FOLLOWED_AFTER));
    assert_eq!(due(&home, "csfloat", first.plus(-Duration::MICROSECOND), 9).await, []);
    assert_eq!(due(&home, "csfloat", first, 9).await, std::slice::from_ref(&early));
    assert_eq!(due(&home, "csfloat", both, 9).await, [early.clone(), late.clone()]);
    assert_eq!(due(&home, "csfloat", both, 1).await, std::slice::from_ref(&early));
    assert_eq!(due(&home, "dmarket", both, 9).await, []);
    assert_eq!(due(&abroad, "csfloat", both, 9).await, []);
    see_again(store, &home, &early, SeenAgain::not_shown(both)).await;
    assert_eq!(due(&home, "csfloat", both, 9).await, [late]);
}

pub async fn what_would_be_bought_is_summed_by_outcome(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (here, elsewhere) = (home.contract.id, home.samples.id());
    for (contract, at) in [(here, start()), (here, minute(1)), (elsewhere, minute(2))] {
        kept(store, would_buy(&home, contract, at)).await;
    }
    let seen = kept(store, would_buy(&home, here, start())).await;
    see_again(store, &home, &seen, SeenAgain::not_shown(minute(20))).await;
    kept(store, dry(&home, here, start())).await;
    let summed = async |scene: &Scene, contract_id, from, to| {
        let filter = WouldBuyFilter { contract_id, from, to };
        let mut sums = store.intents().sum_would_buys(scene.scope(), filter).await.unwrap();
        sums.sort_by_key(|sum| sum.outcome);
        sums
    };
    let sum = |outcome, count: u32| {
        let cents = |each: i64| Cents::new(each * i64::from(count)).unwrap();
        WouldBuySum { outcome, count, cost: cents(1_230), fair_value: cents(1_700) }
    };
    let not_shown = sum(Some(FollowUpOutcome::NotShown), 1);
    assert_eq!(summed(&home, None, start(), minute(9)).await, [sum(None, 3), not_shown]);
    assert_eq!(summed(&home, Some(here), start(), minute(9)).await, [sum(None, 2), not_shown]);
    assert_eq!(summed(&home, None, minute(1), minute(2)).await, [sum(None, 1)]);
    assert_eq!(summed(&abroad, None, start(), minute(9)).await, []);
}

/// What a contract only shows that it would buy, at a marketplace where things are bought.
fn dry(scene: &Scene, contract: ContractId, at: Timestamp) -> Intent {
    let terms = scene.samples.intent_terms(scene.id(), contract);
    let Target::Listing(listing) = terms.target else { panic!("it is about a listing") };
    let basis = DecisionBasis { fair_value: Cents::new(1_700).ok(), ..terms.basis };
    let terms = IntentTerms { target: Target::Listing(listing), basis, approval_mode: ApprovalMode::DryRun, ..terms };
    withdrawn(Intent::propose(terms, Moment::of(at)).unwrap())
}

/// The same at a marketplace that is only read.
fn would_buy(scene: &Scene, contract: ContractId, at: Timestamp) -> Intent {
    dry(scene, contract, at).followed().unwrap()
}

fn withdrawn(intent: Intent) -> Intent {
    let withdrawn = IntentEvent::Withdrawn { cause: WithdrawalCause::DryRun, reason: None };
    let at = Moment::of(intent.created_at);
    intent.apply(withdrawn, at).unwrap()
}

async fn kept(store: &dyn Store, intent: Intent) -> Intent {
    insert(store, [intent.clone().into()]).await.unwrap();
    intent
}

async fn read(store: &dyn Store, scene: &Scene, intent: &Intent) -> Option<Intent> {
    value(store.intents().find(scene.scope(), intent.terms.id).await.unwrap())
}

/// Returns the intent once its listing was looked at.
async fn see_again(store: &dyn Store, scene: &Scene, intent: &Intent, seen: SeenAgain) -> Intent {
    let found = store.intents().find(scene.scope(), intent.terms.id).await.unwrap().unwrap();
    revise(store, found, |intent| intent.see_again(seen).unwrap()).await.unwrap();
    intent.clone().see_again(seen).unwrap()
}
