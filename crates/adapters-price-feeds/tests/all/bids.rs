//! What is bid, next to what is asked: what each source has of it, and that a failure keeps nothing from the asks.

use std::collections::BTreeMap;

use tradepost_adapters_price_feeds::Source;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_fakes::{Fault, FaultRule};
use tradepost_ports::price_source::{PriceSource as _, VariantQuote};

use crate::scene::{KEY, Scene};

/// Those whose bids are read with calls of their own.
const READ: [Source; 3] = [Source::MarketCsgo, Source::Waxpeer, Source::CsFloat];

type ByName = BTreeMap<MarketHashName, VenueCents>;

fn asks(quotes: &[VariantQuote]) -> ByName {
    let ask = |quote: &VariantQuote| Some((quote.variant.market_hash_name.clone(), quote.quote.lowest_ask?));
    quotes.iter().filter_map(ask).collect()
}

fn bids(quotes: &[VariantQuote]) -> ByName {
    let bid = |quote: &VariantQuote| Some((quote.variant.market_hash_name.clone(), quote.quote.highest_bid?));
    quotes.iter().filter_map(bid).collect()
}

/// The highest bid of the world for each name. None is above the lowest ask.
async fn bids_of_world(scene: &Scene) -> ByName {
    let index = scene.fakes.simulator().prices(Marketplace::new("index").unwrap());
    let quotes = index.quotes().await.unwrap();
    let mut highest = ByName::new();
    for (name, bid) in quotes.iter().flat_map(|quote| bids(std::slice::from_ref(quote))) {
        let kept = highest.entry(name).or_insert(bid);
        *kept = bid.max(*kept);
    }
    for (name, ask) in quotes.iter().flat_map(|quote| asks(std::slice::from_ref(quote))) {
        if let Some(bid) = highest.get_mut(&name) {
            *bid = ask.min(*bid);
        }
    }
    highest
}

/// A source with what its quotes have to bid. Where bids are read name by name, one name is watched.
async fn scene_of(source: Source) -> (Scene, ByName) {
    let scene = Scene::unpaced(source).await;
    let mut expected = bids_of_world(&scene).await;
    if source == Source::CsFloat {
        expected = expected.into_iter().take(1).collect();
        scene.service.watch(&names(&expected));
    }
    (scene, expected)
}

fn names(of: &ByName) -> Vec<MarketHashName> {
    of.keys().cloned().collect()
}

/// Lets this happen to the next call for bids, and returns what is read.
async fn read_with(scene: &Scene, fault: Fault) -> Vec<VariantQuote> {
    scene.fakes.arm(vec![FaultRule::next(scene.bid_route().unwrap(), fault)]);
    scene.read().await.unwrap()
}

#[tokio::test]
async fn quotes_have_the_highest_bids_of_the_world_next_to_the_lowest_asks() {
    for source in READ {
        let (scene, expected) = scene_of(source).await;
        let quotes = scene.read().await.unwrap();
        assert_eq!(bids(&quotes), expected, "{source:?}");
        assert_eq!(asks(&quotes).len(), quotes.len(), "{source:?}");
        assert_eq!(scene.prices.new_shapes(), Vec::<String>::new(), "{source:?}");
    }
}

#[tokio::test]
async fn a_failure_of_the_bids_keeps_nothing_from_the_asks_and_the_next_read_has_both() {
    for source in READ {
        for fault in [
            Fault::F05 { status: 503 },
            Fault::F06,
            Fault::F07 { bytes: 20 },
            Fault::F08Huge { mib: 4 },
            Fault::F08Truncated,
            Fault::F09 { status: 401 },
            Fault::F10,
            Fault::F11 { message: "a text that no one has seen before".to_owned() },
            Fault::Drift,
        ] {
            let (scene, expected) = scene_of(source).await;
            let quotes = read_with(&scene, fault.clone()).await;
            assert_eq!(bids(&quotes), ByName::new(), "{source:?}: {fault:?}");
            let next = scene.read().await.unwrap();
            assert_eq!((asks(&next), bids(&next)), (asks(&quotes), expected), "{source:?}: {fault:?}");
        }
    }
}

#[tokio::test]
async fn bids_of_another_form_are_shown_by_their_path_without_a_value() {
    for source in READ {
        let (scene, _) = scene_of(source).await;
        read_with(&scene, Fault::Drift).await;
        let found = scene.prices.new_shapes();
        let is_drift = |shape: &String| shape.starts_with('$') && shape.contains(" is a boolean, and must be ");
        assert!(found.len() == 1 && found.iter().all(is_drift), "{source:?}: {found:?}");
    }
}

#[tokio::test]
async fn new_fields_and_numbers_as_texts_change_no_bid_and_new_fields_are_shown() {
    for source in READ {
        let (scene, expected) = scene_of(source).await;
        assert_eq!(bids(&read_with(&scene, Fault::F32).await), expected, "{source:?}");
        assert_eq!(bids(&read_with(&scene, Fault::F18).await), expected, "{source:?}");
        assert!(!scene.prices.new_shapes().is_empty(), "{source:?}");
    }
}

#[tokio::test]
async fn bids_of_names_are_asked_for_in_turn_with_a_key_that_is_in_no_log() {
    let scene = Scene::unpaced(Source::CsFloat).await;
    let expected = bids_of_world(&scene).await;
    scene.service.watch(&names(&expected));
    let calls = || {
        let mut ledger = scene.fakes.ledger();
        ledger.retain(|entry| Some(entry.route.as_str()) == scene.bid_route());
        ledger
    };
    let first = scene.read().await.unwrap();
    assert_eq!((bids(&first).len(), calls().len()), (10, 10), "ten names have their turn in a read");
    let second = scene.read().await.unwrap();
    assert_eq!((bids(&second), calls().len()), (expected, 20), "what was bid in the read before is kept");
    assert!(calls().iter().all(|entry| entry.query == "limit=10" && entry.status == 200 && entry.card.is_some()));
    assert!(!format!("{:?}", scene.fakes.ledger()).contains(KEY));
    assert_eq!(scene.fakes.shown_keys(), 1);
}

#[tokio::test]
async fn a_limit_of_the_bids_of_names_ends_their_turns_and_keeps_nothing_from_the_asks() {
    let scene = Scene::unpaced(Source::CsFloat).await;
    scene.service.watch(&names(&bids_of_world(&scene).await));
    let quotes = read_with(&scene, Fault::F01 { retry_after_seconds: 60 }).await;
    assert_eq!((asks(&quotes).len(), bids(&quotes).len()), (quotes.len(), 0));
    assert_eq!(scene.statuses(), [200, 429], "the other names are not asked for");
    assert_eq!(bids(&scene.read().await.unwrap()), ByName::new(), "the time is waited for");
    assert_eq!(scene.statuses(), [200, 429, 200]);
}
