//! Promises about trade offers: they are read back as they were written, only at home, and an account sees an offer once.

use tradepost_domain::id::{RecordKey, TradeOfferId};
use tradepost_domain::money::Cents;
use tradepost_domain::trading::giving::{GivenLately, GivenSums};
use tradepost_domain::trading::offer_reading::OfferReading;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{
    OfferDirection, OfferOwner, OfferReport, OfferStep, SeenOffer, Strangeness, TradeOffer, TradeOfferParts,
    TradeOfferStatus,
};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{GivenQuery, PageRequest, Store, StoreError, TradeOfferFilter, Unique};

use crate::samples::{Scene, minute, start, text};
use crate::store_contract::{insert, value, values};

async fn kept(store: &dyn Store, offer: TradeOffer) -> TradeOffer {
    insert(store, [offer.clone().into()]).await.unwrap();
    offer
}

fn of_item(scene: &Scene) -> OfferOwner {
    OfferOwner::Item(scene.samples.id())
}

fn of_purchase(scene: &Scene) -> OfferOwner {
    OfferOwner::Purchase(scene.samples.id())
}

pub async fn a_trade_offer_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in TradeOfferStatus::ALL {
        let offer = kept(store, scene.samples.trade_offer_in(scene.id(), *status, of_item(&scene))).await;
        assert_eq!(offer.status, *status);
        let read = value(store.trade_offers().find(scene.scope(), offer.id).await.unwrap());
        assert_eq!(read, Some(offer), "{status}");
    }
    let offer = scene.samples.trade_offer_in(scene.id(), TradeOfferStatus::Active, of_purchase(&scene));
    let whole = OfferReport {
        offer_id: offer.offer_id.clone().unwrap(),
        gives: vec![scene.samples.offered_asset(5), scene.samples.offered_asset(6)],
        trade: Some(scene.samples.whole_trade()),
        ..scene.samples.offer_report(OfferStatus::Unknown(u32::MAX))
    };
    let offer = kept(store, offer.see(whole, minute(3))).await;
    assert_eq!(value(store.trade_offers().find(scene.scope(), offer.id).await.unwrap()), Some(offer));
    let nobodys = scene.samples.trade_offer_in(scene.id(), TradeOfferStatus::Active, of_item(&scene));
    let nobodys = TradeOfferParts { owner: None, is_glitched: true, receives: Vec::new(), ..(*nobodys).clone() };
    let nobodys = kept(store, TradeOffer::restore(nobodys).unwrap()).await;
    assert_eq!(value(store.trade_offers().find(scene.scope(), nobodys.id).await.unwrap()), Some(nobodys));
}

pub async fn a_trade_offer_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let owner = of_item(&home);
    let one = kept(store, home.samples.trade_offer_in(home.id(), TradeOfferStatus::Completed, owner)).await;
    let other = kept(store, home.samples.trade_offer_in(home.id(), TradeOfferStatus::Declined, owner)).await;
    let sent = kept(store, home.samples.trade_offer_in(home.id(), TradeOfferStatus::Draft, of_item(&home))).await;
    let ids = [other.id, home.samples.id(), one.id];
    let (account, offer_id) = (text("trader-1"), one.offer_id.clone().unwrap());
    let trade_id = one.trade.clone().unwrap().id;
    for (scope, found) in [(home.scope(), Some(one.clone())), (abroad.scope(), None)] {
        assert_eq!(value(store.trade_offers().find(scope, one.id).await.unwrap()), found);
        assert_eq!(value(store.trade_offers().find_seen(scope, &account, &offer_id).await.unwrap()), found);
        assert_eq!(value(store.trade_offers().find_of_trade(scope, &trade_id).await.unwrap()), found);
        let open = values(store.trade_offers().list_open_of(scope, owner).await.unwrap());
        assert_eq!(open, found.into_iter().collect::<Vec<_>>());
    }
    assert_eq!(value(store.trade_offers().find_seen(home.scope(), &text("trader-2"), &offer_id).await.unwrap()), None);
    let mut found = values(store.trade_offers().find_many(home.scope(), &ids).await.unwrap());
    found.sort_by_key(|offer| offer.id);
    assert_eq!(found, [one, other]);
    assert_eq!(values(store.trade_offers().find_many(abroad.scope(), &ids).await.unwrap()), []);
    let open = values(store.trade_offers().list_open_of(home.scope(), sent.owner.unwrap()).await.unwrap());
    assert_eq!(open, [sent]);
}

pub async fn trade_offers_are_listed_by_account_direction_status_and_owner(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (owner, bought) = (of_item(&scene), of_purchase(&scene));
    let draft = kept(store, scene.samples.trade_offer_in(scene.id(), TradeOfferStatus::Draft, owner)).await.id;
    let active = kept(store, scene.samples.trade_offer_in(scene.id(), TradeOfferStatus::Active, bought)).await.id;
    let report = scene.samples.offer_report(OfferStatus::Active);
    let key = RecordKey { workspace_id: scene.id(), id: scene.samples.id() };
    let elsewhere = SeenOffer { account_name: text("trader-2"), report, owner: None };
    let elsewhere = TradeOffer::first_seen(key, elsewhere, start());
    let elsewhere = kept(store, elsewhere).await.id;
    let listed = async |filter| {
        let page = PageRequest { before: None, limit: 9 };
        store.trade_offers().list(scene.scope(), filter, page).await.unwrap().ids
    };
    let (all, account) = (TradeOfferFilter::default(), text("trader-1"));
    let (account_name, status) = (Some(&account), Some(TradeOfferStatus::Active));
    let (sent, received) = (Some(OfferDirection::Sent), Some(OfferDirection::Received));
    assert_eq!(listed(all).await, [elsewhere, active, draft]);
    assert_eq!(listed(TradeOfferFilter { account_name, ..all }).await, [active, draft]);
    assert_eq!(listed(TradeOfferFilter { status, ..all }).await, [elsewhere, active]);
    assert_eq!(listed(TradeOfferFilter { direction: sent, ..all }).await, [draft]);
    assert_eq!(listed(TradeOfferFilter { owner: Some(bought), ..all }).await, [active]);
    assert_eq!(listed(TradeOfferFilter { account_name, direction: received, status, ..all }).await, [active]);
    assert_eq!(listed(TradeOfferFilter { direction: sent, status, ..all }).await, []);
}

pub async fn an_account_sees_an_offer_once_and_an_item_is_sent_once(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let report = home.samples.offer_report(OfferStatus::Active);
    let seen = |scene: &Scene, account: &str| {
        let key = RecordKey { workspace_id: scene.id(), id: scene.samples.id() };
        let offer = SeenOffer { account_name: text(account), report: report.clone(), owner: None };
        TradeOffer::first_seen(key, offer, start())
    };
    kept(store, seen(&home, "trader-1")).await;
    let refused = insert(store, [seen(&home, "trader-1").into()]).await;
    assert_eq!(refused.unwrap_err(), StoreError::Duplicate(Unique::SeenOffer));
    kept(store, seen(&home, "trader-2")).await;
    kept(store, seen(&abroad, "trader-1")).await;
    let owner = of_item(&home);
    let unsent = |status| home.samples.trade_offer_in(home.id(), status, owner);
    kept(store, unsent(TradeOfferStatus::Draft)).await;
    let refused = insert(store, [unsent(TradeOfferStatus::SendUncertain).into()]).await;
    assert_eq!(refused.unwrap_err(), StoreError::Duplicate(Unique::UnsentOffer));
    kept(store, unsent(TradeOfferStatus::Cancelled)).await;
    kept(store, unsent(TradeOfferStatus::Active)).await;
}

pub async fn trade_offers_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in [TradeOfferStatus::Active, TradeOfferStatus::Active, TradeOfferStatus::Final] {
        kept(store, scene.samples.trade_offer_in(scene.id(), status, of_purchase(&scene))).await;
    }
    let mut counts = store.counters().by_status(scene.scope(), Kind::TradeOffer, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(TradeOfferStatus::Active.code(), 2), (TradeOfferStatus::Final.code(), 1)]);
}

/// An offer of an account that belongs to nothing of ours.
fn unowned(scene: &Scene, account: &str, status: OfferStatus) -> TradeOffer {
    let report = scene.samples.offer_report(status);
    let key = RecordKey { workspace_id: scene.id(), id: scene.samples.id() };
    TradeOffer::first_seen(key, SeenOffer { account_name: text(account), report, owner: None }, start())
}

pub async fn an_offer_that_a_person_asked_for_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let asked = || scene.samples.requested_offer(scene.id(), &[5, 6], &[7]);
    let failed = asked().begun(minute(1)).request_failed(text("refused"), true, minute(2));
    let held = OfferReport { hold_seconds: Some(u32::MAX), ..scene.samples.offer_report(OfferStatus::Active) };
    let sent = asked().begun(minute(1)).see(held, minute(2)).request(OfferStep::Cancel, minute(3)).unwrap();
    let strange = unowned(&scene, "trader-1", OfferStatus::Active).strange(Strangeness::NotSentHere, minute(1));
    let waiting = asked().about_to_give(Cents::new(500).ok(), minute(1));
    let given = asked().giving(None, minute(2));
    let received = unowned(&scene, "trader-1", OfferStatus::Active);
    let accepting = received.request(OfferStep::Accept, minute(1)).unwrap().accepting_hold();
    for offer in [asked(), asked().begun(minute(1)), failed, sent, strange, waiting, given, accepting] {
        let offer = kept(store, offer).await;
        assert_eq!(value(store.trade_offers().find(scene.scope(), offer.id).await.unwrap()), Some(offer));
    }
}

pub async fn unsent_and_unowned_offers_are_found_by_their_account(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let asked = kept(store, home.samples.requested_offer(home.id(), &[5], &[])).await;
    let draft = kept(store, home.samples.trade_offer_in(home.id(), TradeOfferStatus::Draft, of_item(&home))).await;
    let open = kept(store, unowned(&home, "trader-1", OfferStatus::Active)).await;
    kept(store, unowned(&home, "trader-1", OfferStatus::Declined)).await;
    let elsewhere = kept(store, unowned(&home, "trader-2", OfferStatus::Active)).await;
    kept(store, home.samples.trade_offer_in(home.id(), TradeOfferStatus::Active, of_item(&home))).await;
    let (account, other) = (text("trader-1"), text("trader-2"));
    let offers = store.trade_offers();
    assert_eq!(values(offers.list_unsent(home.scope(), &account).await.unwrap()), [asked.clone(), draft]);
    assert_eq!(values(offers.list_unowned(home.scope(), &account).await.unwrap()), [asked, open]);
    assert_eq!(values(offers.list_unowned(home.scope(), &other).await.unwrap()), [elsewhere]);
    assert_eq!(values(offers.list_unsent(home.scope(), &other).await.unwrap()), []);
    assert_eq!(values(offers.list_unsent(abroad.scope(), &account).await.unwrap()), []);
    assert_eq!(values(offers.list_unowned(abroad.scope(), &account).await.unwrap()), []);
}

pub async fn requested_offers_are_listed_by_the_time_of_the_request(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let declining = unowned(&home, "trader-1", OfferStatus::Active).request(OfferStep::Decline, minute(5)).unwrap();
    let declining = kept(store, declining).await;
    let asked = kept(store, home.samples.requested_offer(home.id(), &[5], &[])).await;
    kept(store, unowned(&home, "trader-1", OfferStatus::Active)).await;
    let listed = async |scope, most| values(store.trade_offers().list_requested(scope, most).await.unwrap());
    assert_eq!(listed(home.scope(), 9).await, [asked.clone(), declining]);
    assert_eq!(listed(home.scope(), 1).await, [asked]);
    assert_eq!(listed(abroad.scope(), 9).await, []);
}

pub async fn what_an_account_gave_is_added_up_by_its_time(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let asked = |scene: &Scene| scene.samples.requested_offer(scene.id(), &[5], &[]);
    let [one, two, four, eight] = [1, 2, 4, 8].map(|cents| Cents::new(cents).ok());
    let now = minute(24 * 60);
    let last = kept(store, asked(&home).giving(one, now)).await;
    kept(store, asked(&home).giving(two, minute(23 * 60))).await;
    kept(store, asked(&home).about_to_give(four, minute(1))).await;
    kept(store, asked(&home).giving(None, now)).await;
    // None of these counts: it was given a day ago, it ended without giving anything, or it is of another account or workspace.
    kept(store, asked(&home).giving(eight, minute(0))).await;
    let failed = asked(&home).about_to_give(eight, now).request_failed(text("refused"), true, now);
    assert_eq!(kept(store, failed).await.status, TradeOfferStatus::Cancelled);
    let other = TradeOfferParts { account_name: text("trader-2"), ..(*asked(&home).giving(eight, now)).clone() };
    kept(store, TradeOffer::restore(other).unwrap()).await;
    kept(store, asked(&abroad).giving(eight, now)).await;
    let account_name = text("trader-1");
    let sums = async |except: Option<TradeOfferId>, waiting_up_to| {
        let query = GivenQuery { account_name: &account_name, at: now, except, waiting_up_to };
        store.trade_offers().sum_given(home.scope(), query).await.unwrap()
    };
    let (allowed, waiting) = (GivenSums { hour: 1, day: 3 }, GivenSums { hour: 0, day: 4 });
    assert_eq!(sums(None, None).await, GivenLately { allowed, waiting });
    assert_eq!(sums(None, four).await, GivenLately { allowed, waiting });
    assert_eq!(
        sums(None, one).await,
        GivenLately { allowed, waiting: GivenSums::default() },
        "a person decides about it"
    );
    let without_last = GivenLately { allowed: GivenSums { hour: 0, day: 2 }, waiting };
    assert_eq!(sums(Some(last.id), None).await, without_last);
}

pub async fn the_readings_of_accounts_are_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [one, two, missing] = [1, 2, 3].map(|_| home.samples.id());
    let asked = OfferReading::new(home.id(), one).requested(minute(1));
    let read = OfferReading::new(home.id(), two).read(minute(2));
    insert(store, [asked.into(), read.into()]).await.unwrap();
    let found = async |scope, ids: &[_]| {
        let mut found = values(store.trade_offers().find_readings(scope, ids).await.unwrap());
        found.sort_by_key(|reading| reading.account_id);
        found
    };
    assert_eq!(found(home.scope(), &[one, missing, two]).await, [asked, read]);
    assert_eq!(found(home.scope(), &[two]).await, [read]);
    assert_eq!(found(home.scope(), &[]).await, []);
    assert_eq!(found(abroad.scope(), &[one, two]).await, []);
}
