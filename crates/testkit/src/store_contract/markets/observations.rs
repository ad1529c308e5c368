//! Promises about the records of markets.

use futures::future::join_all;
use tradepost_domain::asset::AppId;
use tradepost_domain::id::{ObservationId, OfObservation};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::markets::price_history::{Candle, hour_of};
use tradepost_domain::markets::pricing::{Quote, Sales};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::transition::Actor;
use tradepost_ports::store::{
    HistoryQuery, ObservationFilter, ObservationSpan, PageRequest, PriceData, PriceSnapshot, Recorded, Store,
    StoreError, Worlds,
};

use crate::samples::{Scene, minute, start, text, variant};
use crate::store_contract::{insert, revise};

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";
const ASIIMOV: &str = "AWP | Asiimov (Battle-Scarred)";

async fn record(
    store: &dyn Store,
    scene: &Scene,
    sightings: &[ListingSnapshot],
) -> (Vec<MarketObservation>, Vec<Recorded>) {
    let made = |snapshot: &ListingSnapshot| scene.samples.observation(scene.id(), snapshot.clone());
    let observations: Vec<_> = sightings.iter().map(made).collect();
    let recorded = store.observations().record(scene.scope(), &[], &observations).await.unwrap();
    (observations, recorded)
}

/// Returns a listing at this price, this many minutes after the start.
fn offer(scene: &Scene, name: &str, price: i64, minutes: i64) -> ListingSnapshot {
    scene.samples.on_offer(variant(name), price, minute(minutes))
}

fn later(snapshot: &ListingSnapshot, price: i64, minutes: i64) -> ListingSnapshot {
    let mut later = snapshot.clone();
    later.listing.price = Cents::new(price).unwrap();
    later.observed_at = minute(minutes);
    later
}

pub async fn an_observation_with_everything_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let key = Actor::ApiKey { key: scene.key.id, user: scene.user.id };
    let mut observations = Vec::new();
    for (snapshot, recorded_by) in [
        (offer(&scene, REDLINE, 1, 0), Actor::System),
        (scene.samples.whole_offer(10_000_000_000_000, minute(1)), key),
        (scene.samples.whole_offer(5, minute(-60)), Actor::User(scene.user.id)),
    ] {
        let observation = scene.samples.observation(scene.id(), snapshot);
        observations.push(MarketObservation { recorded_at: minute(2), recorded_by, ..observation });
    }
    let recorded = store.observations().record(scene.scope(), &[], &observations).await.unwrap();
    assert_eq!(recorded, [Recorded::Accepted; 3]);
    assert_eq!(store.observations().record(scene.scope(), &[], &[]).await.unwrap(), []);
    let ids: Vec<_> = observations.iter().map(|observation| observation.id).chain([scene.samples.id()]).collect();
    let mut found = store.observations().find_many(scene.scope(), &ids).await.unwrap();
    found.sort_by_key(|observation| observation.id);
    observations.sort_by_key(|observation| observation.id);
    assert_eq!(found, observations);
}

pub async fn a_listing_is_recorded_once_at_its_price(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, other) = (offer(&scene, REDLINE, 100, 0), offer(&scene, REDLINE, 100, 0));
    let (first, recorded) = record(store, &scene, &[one.clone(), other.clone()]).await;
    assert_eq!(recorded, [Recorded::Accepted; 2]);
    let again = [later(&other, 100, 1), later(&one, 100, 0)];
    assert_eq!(record(store, &scene, &again).await.1, [first[1].id, first[0].id].map(Recorded::Duplicate));
    let changed = record(store, &scene, &[later(&one, 90, 2)]).await;
    assert_eq!(changed.1, [Recorded::Accepted]);
    assert_eq!(record(store, &scene, &[later(&one, 100, 1)]).await.1, [Recorded::Outdated]);
    assert_eq!(record(store, &scene, &[later(&one, 90, 3)]).await.1, [Recorded::Duplicate(changed.0[0].id)]);
    assert_eq!(record(store, &scene, &[later(&one, 100, 4)]).await.1, [Recorded::Accepted]);
    let elsewhere = ListingSnapshot { marketplace: text("elsewhere"), ..later(&one, 100, 4) };
    assert_eq!(record(store, &scene, &[elsewhere]).await.1, [Recorded::Accepted]);
}

pub async fn a_listing_still_on_sale_is_recorded_again_after_a_day(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let listing = offer(&scene, REDLINE, 100, 0);
    let (first, _) = record(store, &scene, std::slice::from_ref(&listing)).await;
    let almost = record(store, &scene, &[later(&listing, 100, 24 * 60 - 1)]).await;
    assert_eq!(almost.1, [Recorded::Duplicate(first[0].id)]);
    let (renewed, recorded) = record(store, &scene, &[later(&listing, 100, 24 * 60)]).await;
    assert_eq!(recorded, [Recorded::Accepted]);
    let then = record(store, &scene, &[later(&listing, 100, 24 * 60 + 1)]).await;
    assert_eq!(then.1, [Recorded::Duplicate(renewed[0].id)]);
}

pub async fn a_listing_seen_again_at_its_price_keeps_its_variant(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let listing = offer(&scene, REDLINE, 100, 0);
    let mut again = later(&listing, 100, 5);
    again.listing.variant = variant(ASIIMOV);
    record(store, &scene, &[listing]).await;
    record(store, &scene, std::slice::from_ref(&again)).await;
    let seen_at = async |name| {
        let offers = store.observations().list_offers(scene.scope(), &variant(name), start(), 10).await.unwrap();
        offers.into_iter().map(|offer| offer.seen_at).collect::<Vec<_>>()
    };
    assert_eq!((seen_at(REDLINE).await, seen_at(ASIIMOV).await), (vec![minute(5)], vec![]));
    record(store, &scene, &[later(&again, 90, 6)]).await;
    assert_eq!((seen_at(REDLINE).await, seen_at(ASIIMOV).await), (vec![], vec![minute(6)]));
}

pub async fn of_many_who_record_the_same_at_once_one_is_accepted(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let seen: Vec<_> = (0..20).map(|price| offer(&scene, REDLINE, 100 + price, 0)).collect();
    let recorded = async || record(store, &scene, &seen).await.1;
    let all = join_all((0..8).map(|_| recorded())).await;
    let accepted = all.iter().flatten().filter(|recorded| **recorded == Recorded::Accepted).count();
    assert_eq!(accepted, 20);
    let page = PageRequest { before: None, limit: 200 };
    let stored = store.observations().list(scene.scope(), ObservationFilter::default(), page).await.unwrap();
    assert_eq!(stored.ids.len(), 20);
}

pub async fn observations_are_listed_by_marketplace_name_and_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let elsewhere = ListingSnapshot { marketplace: text("elsewhere"), ..offer(&scene, REDLINE, 1, 0) };
    let (seen, _) = record(
        store,
        &scene,
        &[elsewhere, offer(&scene, ASIIMOV, 2, 1), offer(&scene, REDLINE, 3, 2), offer(&scene, ASIIMOV, 4, 3)],
    )
    .await;
    let ids = |which: &[usize]| which.iter().map(|index| seen[*index].id).collect::<Vec<_>>();
    let (place, name) = (text("elsewhere"), text(REDLINE));
    let all = ObservationFilter::default();
    for (filter, expected) in [
        (all, ids(&[3, 2, 1, 0])),
        (ObservationFilter { marketplace: Some(&place), ..all }, ids(&[0])),
        (ObservationFilter { market_hash_name: Some(&name), ..all }, ids(&[2, 0])),
        (ObservationFilter { marketplace: Some(&place), market_hash_name: Some(&name), since: None }, ids(&[0])),
        (ObservationFilter { since: Some(minute(2)), ..all }, ids(&[3, 2])),
    ] {
        assert_eq!(listed(store, &scene, filter, None, 10).await, (expected, false));
    }
    assert_eq!(listed(store, &scene, all, None, 3).await, (ids(&[3, 2, 1]), true));
    assert_eq!(listed(store, &scene, all, Some(seen[1].id), 3).await, (ids(&[0]), false));
}

async fn listed(
    store: &dyn Store,
    scene: &Scene,
    filter: ObservationFilter<'_>,
    before: Option<ObservationId>,
    limit: u32,
) -> (Vec<ObservationId>, bool) {
    let page: PageRequest<OfObservation> = PageRequest { before, limit };
    let page = store.observations().list(scene.scope(), filter, page).await.unwrap();
    (page.ids, page.more)
}

pub async fn what_is_known_of_markets_is_never_seen_from_another_workspace(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (seen, _) = record(store, &home, &[offer(&home, REDLINE, 100, 0)]).await;
    let quote = Quote::of_ask(text("source"), Cents::ZERO, start());
    store.quotes().record(home.scope(), &[], &[(variant(REDLINE), quote)]).await.unwrap();
    let scope = abroad.scope();
    assert_eq!(store.observations().find_many(scope, &[seen[0].id]).await.unwrap(), []);
    assert_eq!(listed(store, &abroad, ObservationFilter::default(), None, 10).await, (vec![], false));
    assert_eq!(store.observations().count(scope, 0).await.unwrap(), []);
    assert_eq!(store.observations().list_offers(scope, &variant(REDLINE), start(), 10).await.unwrap(), []);
    assert_eq!(store.candles().read(scope, hours(&variant(REDLINE), 0, i64::MAX)).await.unwrap(), []);
    assert_eq!(store.quotes().find(scope, &[text(REDLINE)], start()).await.unwrap(), PriceData::default());
    assert_eq!(store.observations().find_with_prices(scope, seen[0].id).await.unwrap(), None);
    let span = ObservationSpan { from: start(), to: minute(60), after: None, limit: 10 };
    assert_eq!(store.observations().replay(scope, span).await.unwrap(), []);
    assert_eq!(record(store, &abroad, &[seen[0].snapshot.clone()]).await.1, [Recorded::Accepted]);
}

pub async fn an_observation_keeps_the_prices_reported_when_it_was_recorded(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let quote = |source, ask, minutes| Quote {
        highest_bid: Some(Cents::new(7).unwrap()),
        sales: Some(Sales { average: Cents::new(9).unwrap(), count: 40 }),
        ..Quote::of_ask(text(source), Cents::new(ask).unwrap(), minute(minutes))
    };
    let quote_prices = async |scene: &Scene, quotes: &[(Variant, Quote)]| {
        store.quotes().record(scene.scope(), &[], quotes).await.unwrap()
    };
    let bare = Quote { lowest_ask: None, highest_bid: None, sales: None, ..quote("b", 1, 0) };
    quote_prices(&scene, &[(variant(REDLINE), quote("a", 500, 0)), (variant(REDLINE), bare.clone())]).await;
    quote_prices(&scene, &[(variant(ASIIMOV), quote("a", 1, 0))]).await;
    quote_prices(&abroad, &[(variant(REDLINE), quote("c", 1, 0))]).await;
    let given = scene.samples.price_override(scene.id(), variant(REDLINE), 800);
    insert(store, [given.clone().into()]).await.unwrap();
    let old = record(store, &scene, &[offer(&scene, REDLINE, 300, -20)]).await.0;
    let elsewhere = ListingSnapshot { marketplace: text("elsewhere"), ..offer(&scene, REDLINE, 450, 5) };
    let (seen, _) = record(store, &scene, &[offer(&scene, REDLINE, 400, 5), elsewhere]).await;
    quote_prices(&scene, &[(variant(REDLINE), quote("a", 100, 9))]).await;
    record(store, &scene, &[offer(&scene, REDLINE, 50, 10)]).await;
    let ask = |place, price| Quote::of_ask(text(place), Cents::new(price).unwrap(), minute(5));
    let mut then = store.observations().find_with_prices(scene.scope(), seen[0].id).await.unwrap().unwrap();
    then.1.quotes.sort_by_key(|quote| quote.source.clone());
    then.1.asks.sort_by_key(|quote| quote.source.clone());
    let prices = PriceSnapshot {
        quotes: vec![quote("a", 500, 0), bare],
        asks: vec![ask("elsewhere", 450)],
        given: Some(given.given.clone()),
    };
    assert_eq!(then, (seen[0].clone(), prices));
    let (_, prices) = store.observations().find_with_prices(scene.scope(), seen[1].id).await.unwrap().unwrap();
    assert_eq!(prices.asks, [ask("example", 400)]);
    let (_, prices) = store.observations().find_with_prices(scene.scope(), old[0].id).await.unwrap().unwrap();
    assert_eq!(prices.asks, [], "a listing says nothing of its own value");
    let unsaid = record(store, &scene, &[offer(&scene, "P250 | Sand Dune (Field-Tested)", 3, 30)]).await.0;
    let (_, prices) = store.observations().find_with_prices(scene.scope(), unsaid[0].id).await.unwrap().unwrap();
    assert_eq!((prices.quotes, prices.asks.len(), prices.given), (vec![], 0, None));
}

pub async fn an_observation_has_the_cheapest_other_listing_that_was_recorded_with_it(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let offers = [450, 1_000, 1_200].map(|price| offer(&scene, REDLINE, price, 5));
    let (seen, _) = record(store, &scene, &offers).await;
    for (observation, others) in seen.iter().zip([1_000, 450, 450]) {
        let found = store.observations().find_with_prices(scene.scope(), observation.id).await.unwrap().unwrap();
        assert_eq!(found.1.asks, [Quote::of_ask(text("example"), Cents::new(others).unwrap(), minute(5))]);
    }
}

pub async fn observations_are_replayed_from_the_oldest(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut all = Vec::new();
    for minutes in 0..6 {
        all.extend(record(store, &scene, &[offer(&scene, REDLINE, 100, minutes)]).await.0);
    }
    let replayed = async |from, to, after, limit| {
        let span = ObservationSpan { from: minute(from), to: minute(to), after, limit };
        let page = store.observations().replay(scene.scope(), span).await.unwrap();
        page.into_iter().map(|(observation, _)| observation).collect::<Vec<_>>()
    };
    assert_eq!(replayed(1, 5, None, 10).await, all[1..5]);
    assert_eq!(replayed(1, 5, None, 3).await, all[1..4]);
    assert_eq!(replayed(1, 5, Some(all[3].id), 3).await, all[4..5]);
    assert_eq!(replayed(6, 9, None, 3).await, []);
}

pub async fn observations_are_counted_by_marketplace_and_hour(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let elsewhere = ListingSnapshot { marketplace: text("elsewhere"), ..offer(&scene, REDLINE, 1, 59) };
    let seen = [elsewhere, offer(&scene, REDLINE, 2, 59), offer(&scene, ASIIMOV, 3, 60)];
    record(store, &scene, &seen).await;
    record(store, &scene, &seen).await;
    record(store, &scene, &[later(&seen[1], 5, 61)]).await;
    let count = async |minutes| store.observations().count(scene.scope(), hour_of(minute(minutes))).await.unwrap();
    assert_eq!(count(0).await, [(text("elsewhere"), 1), (text("example"), 3)]);
    assert_eq!(count(60).await, [(text("example"), 2)]);
    assert_eq!(count(120).await, []);
}

pub async fn offers_are_listed_cheapest_first_as_long_as_they_are_seen(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let of_phase = Variant { phase: Some(text("Phase 1")), ..variant(REDLINE) };
    let of_game = Variant { app_id: AppId::new(440).unwrap(), ..variant(REDLINE) };
    let seen = [
        offer(&scene, REDLINE, 300, 0),
        offer(&scene, REDLINE, 200, 10),
        offer(&scene, REDLINE, 100, 20),
        scene.samples.on_offer(of_phase.clone(), 1, minute(20)),
        scene.samples.on_offer(of_game, 1, minute(20)),
    ];
    let (stored, _) = record(store, &scene, &seen).await;
    record(store, &scene, &[later(&seen[0], 300, 25), later(&seen[2], 250, 26)]).await;
    let offers = async |variant: &Variant, minutes, limit| {
        let offers = store.observations().list_offers(scene.scope(), variant, minute(minutes), limit).await.unwrap();
        offers.into_iter().map(|offer| (offer.price.get(), offer.seen_at)).collect::<Vec<_>>()
    };
    let plain = variant(REDLINE);
    assert_eq!(offers(&plain, 0, 10).await, [(200, minute(10)), (250, minute(26)), (300, minute(25))]);
    assert_eq!(offers(&plain, 25, 10).await, [(250, minute(26)), (300, minute(25))]);
    assert_eq!(offers(&plain, 0, 1).await, [(200, minute(10))]);
    assert_eq!(offers(&of_phase, 0, 10).await, [(1, minute(20))]);
    let whole = store.observations().list_offers(scene.scope(), &plain, minute(25), 10).await.unwrap();
    assert_eq!(whole[1].listing_id, seen[0].listing_id);
    assert_eq!((&whole[1].marketplace, whole[1].observation_id), (&seen[0].marketplace, stored[0].id));
}

const fn hours(variant: &Variant, from: i64, to: i64) -> HistoryQuery<'_> {
    HistoryQuery { variant, marketplace: None, from, to }
}

pub async fn prices_of_hours_are_kept_by_variant_and_marketplace(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let seen = offer(&scene, REDLINE, 200, 30);
    let elsewhere = ListingSnapshot { marketplace: text("elsewhere"), ..offer(&scene, REDLINE, 50, 1) };
    let early = offer(&scene, REDLINE, 300, 10);
    let (next_hour, other) = (offer(&scene, REDLINE, 70, 60), offer(&scene, ASIIMOV, 1, 0));
    record(store, &scene, &[seen.clone(), elsewhere, next_hour, other]).await;
    record(store, &scene, &[early, later(&seen, 100, 40)]).await;
    let first = hour_of(start());
    let read = async |query| {
        let candles = store.candles().read(scene.scope(), query).await.unwrap();
        candles.into_iter().map(|(hour, candle)| (hour - first, short(&candle))).collect::<Vec<_>>()
    };
    let here = ((300, 10), 300, 100, (100, 40), 3);
    let (there, after) = (((50, 1), 50, 50, (50, 1), 1), ((70, 60), 70, 70, (70, 60), 1));
    let redline = variant(REDLINE);
    assert_eq!(read(hours(&redline, first, first + 2)).await, [(0, there), (0, here), (1, after)]);
    let place = text("example");
    let query = HistoryQuery { marketplace: Some(&place), ..hours(&redline, first, first + 1) };
    assert_eq!(read(query).await, [(0, here)]);
    assert_eq!(read(hours(&variant(ASIIMOV), first + 1, first + 9)).await, []);
}

pub async fn prices_of_hours_are_the_same_however_far_they_are_formed(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (first, names) = (hour_of(start()), [REDLINE, ASIIMOV]);
    let prices = async || {
        let mut all = Vec::new();
        for name in names {
            let candles = store.candles().read(scene.scope(), hours(&variant(name), first, first + 3)).await.unwrap();
            all.extend(candles.into_iter().map(|(hour, candle)| (name, hour - first, short(&candle))));
        }
        all
    };
    let seen = [offer(&scene, REDLINE, 200, 30), offer(&scene, ASIIMOV, 50, 31), offer(&scene, REDLINE, 70, 70)];
    record(store, &scene, &seen).await;
    let expected = prices().await;
    assert_eq!(expected.len(), 3);
    // The second time nothing is left to do.
    for _ in 0..2 {
        store.candles().form(Worlds::Real, start(), minute(600)).await.unwrap();
        assert_eq!(prices().await, expected);
    }
    // This one is recorded after the others, though it was seen before one of them.
    let late = [scene.samples.recorded_at(scene.id(), offer(&scene, REDLINE, 90, 40), minute(80))];
    store.observations().record(scene.scope(), &[], &late).await.unwrap();
    let both = prices().await;
    let redline = ((200, 30), 200, 90, (90, 40), 2);
    assert_eq!(both[0], (REDLINE, 0, redline));
    store.candles().form(Worlds::Real, start(), minute(600)).await.unwrap();
    assert_eq!(prices().await, both);
}

type Short = ((i64, i64), i64, i64, (i64, i64), u32);

/// Returns a candle in short: prices, and minutes after the start.
fn short(candle: &Candle) -> Short {
    let tick = |tick: tradepost_domain::markets::price_history::Tick| {
        (tick.price.get(), tick.at.since(start()).whole_minutes())
    };
    (tick(candle.open), candle.high.get(), candle.low.get(), tick(candle.close), candle.count)
}

pub async fn old_observations_are_forgotten_in_bounded_steps_but_for_those_that_are_kept(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let old: Vec<_> = (0..5).map(|price| offer(&scene, REDLINE, 10 + price, price * 30)).collect();
    let (seen, _) = record(store, &scene, &old).await;
    let (fresh, _) = record(store, &scene, &[offer(&scene, REDLINE, 1, 600)]).await;
    store.observations().keep(scene.scope(), &[seen[1].id, scene.samples.id()]).await.unwrap();
    let before = minute(600);
    let mut forgotten = Vec::new();
    // An hour is finished by a step that finds no observation left in it.
    for _ in 0..8 {
        forgotten.push(store.observations().forget(Worlds::Real, before, 3).await.unwrap());
    }
    assert_eq!(forgotten.iter().sum::<u64>(), 4, "{forgotten:?}");
    assert!(forgotten.iter().all(|many| *many <= 3), "{forgotten:?}");
    let left = listed(store, &scene, ObservationFilter::default(), None, 10).await.0;
    assert_eq!(left, [fresh[0].id, seen[1].id]);
    let offers = store.observations().list_offers(scene.scope(), &variant(REDLINE), minute(600), 10).await.unwrap();
    assert_eq!(offers.len(), 1);
    let prices = store.candles().read(scene.scope(), hours(&variant(REDLINE), 0, i64::MAX)).await.unwrap();
    assert_eq!(prices.len(), 4);
}

pub async fn a_caller_who_changed_records_nothing_of_markets(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let guard = async || {
        let user = store.users().find(scene.user.id).await.unwrap().unwrap();
        (user.stamp(), user)
    };
    let (stamp, user) = guard().await;
    let seen = scene.samples.observation(scene.id(), offer(&scene, REDLINE, 100, 0));
    let quotes = [(variant(REDLINE), Quote::of_ask(text("source"), Cents::ZERO, start()))];
    revise(store, user, |user| user).await.unwrap();
    let refused = store.observations().record(scene.scope(), &[stamp], std::slice::from_ref(&seen)).await;
    assert_eq!(refused, Err(StoreError::CallerChanged));
    assert_eq!(store.quotes().record(scene.scope(), &[stamp], &quotes).await, Err(StoreError::CallerChanged));
    assert_eq!(listed(store, &scene, ObservationFilter::default(), None, 10).await, (vec![], false));
    let (stamp, _) = guard().await;
    assert_eq!(store.observations().record(scene.scope(), &[stamp], &[seen]).await.unwrap(), [Recorded::Accepted]);
    assert_eq!(store.quotes().record(scene.scope(), &[stamp], &quotes).await.unwrap(), 1);
}

pub async fn the_latest_quote_of_each_source_is_found(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let quote = |source, ask, minutes| Quote {
        source: text(source),
        lowest_ask: Some(Cents::new(ask).unwrap()),
        highest_bid: Some(Cents::new(7).unwrap()),
        sales: Some(Sales { average: Cents::new(9).unwrap(), count: u32::MAX }),
        observed_at: minute(minutes),
    };
    let bare = Quote { lowest_ask: None, highest_bid: None, sales: None, ..quote("b", 1, 3) };
    let of_phase = Variant { phase: Some(text("Phase 1")), ..variant(REDLINE) };
    let record = async |quotes: &[(Variant, Quote)]| store.quotes().record(scene.scope(), &[], quotes).await.unwrap();
    let redline = || variant(REDLINE);
    assert_eq!(record(&[(redline(), quote("a", 1, 5)), (of_phase.clone(), bare.clone())]).await, 2);
    assert_eq!(record(&[(redline(), quote("a", 2, 4)), (redline(), bare.clone())]).await, 1);
    assert_eq!(record(&[(redline(), quote("a", 3, 6)), (variant(ASIIMOV), bare.clone())]).await, 2);
    assert_eq!(record(&[]).await, 0);
    let mut prices = store.quotes().find(scene.scope(), &[text(REDLINE), text("unknown")], start()).await.unwrap();
    prices.quotes.sort_by_key(|(variant, quote)| (variant.clone(), quote.source.clone()));
    assert_eq!(prices.quotes, [(redline(), quote("a", 3, 6)), (redline(), bare.clone()), (of_phase, bare)]);
    assert_eq!(prices.asks, []);
}

pub async fn the_cheapest_listing_of_each_marketplace_is_found(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let of_phase = Variant { phase: Some(text("Phase 1")), ..variant(REDLINE) };
    let elsewhere = ListingSnapshot { marketplace: text("elsewhere"), ..offer(&scene, REDLINE, 500, 10) };
    let seen = [
        offer(&scene, REDLINE, 50, 0),
        offer(&scene, REDLINE, 100, 10),
        offer(&scene, REDLINE, 100, 11),
        offer(&scene, REDLINE, 200, 12),
        scene.samples.on_offer(of_phase.clone(), 9, minute(10)),
        offer(&scene, ASIIMOV, 1, 10),
        elsewhere,
    ];
    record(store, &scene, &seen).await;
    let mut asks = store.quotes().find(scene.scope(), &[text(REDLINE)], minute(5)).await.unwrap().asks;
    asks.sort_by_key(|(variant, quote)| (variant.clone(), quote.source.clone()));
    let ask = |place, price, minutes| Quote::of_ask(text(place), Cents::new(price).unwrap(), minute(minutes));
    let redline = || variant(REDLINE);
    let expected = [(redline(), ask("elsewhere", 500, 10)), (redline(), ask("example", 100, 11))];
    assert_eq!(asks, [expected.to_vec(), vec![(of_phase, ask("example", 9, 10))]].concat());
}
