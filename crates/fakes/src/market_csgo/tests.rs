//! The facade against its cards and its limits.

use super::*;
use crate::facade::tests::hold_to_cards;

const KEY: &str = "a-key";
const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

fn of_export(route: &'static str) -> Asked {
    Asked { route, ..Asked::default() }
}

/// A call with these parameters.
fn asked(route: &'static str, query: &[(&str, &str)]) -> Asked {
    let raw_query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Asked { route, query, raw_query, ..Asked::default() }
}

fn of_names(names: &[&str]) -> Asked {
    let names = names.iter().map(|name| ("list_hash_name[]", *name));
    let query: Vec<(&str, &str)> = std::iter::once(("key", KEY)).chain(names).collect();
    asked(OF_NAMES, &query)
}

fn of_name(name: &str) -> Asked {
    asked(OF_NAME, &[("key", KEY), ("hash_name", name)])
}

fn ids(listings: &Value) -> Vec<u64> {
    listings.as_array().unwrap().iter().map(|entry| entry["id"].as_u64().unwrap()).collect()
}

#[test]
fn every_answer_has_the_shape_of_a_card_and_more_than_five_a_second_end_the_answers() {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut replies: Vec<Reply> = (0..6).map(|_| answer(&fakes, &of_export(IN_DOLLARS))).collect();
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
    fakes.advance(Duration::hours(1));
    replies.push(answer(&fakes, &of_export(IN_DOLLARS)));
    assert_eq!(replies.last().map(|reply| reply.body["success"].clone()), Some(json!(false)));
    replies.extend([
        answer(&fakes, &of_export(BIDS_IN_DOLLARS)),
        answer(&fakes, &of_names(&[REDLINE, "Sticker | Sold Out"])),
        answer(&fakes, &of_name(REDLINE)),
        answer(&fakes, &asked(OF_NAME, &[("hash_name", REDLINE)])),
        answer(&fakes, &of_names(&[REDLINE; 51])),
    ]);
    hold_to_cards(&FACADE, &fakes, replies);
}

#[test]
fn the_listings_of_a_name_are_those_of_the_world_whichever_way_they_are_asked_for() {
    let fakes = Fakes::of_seed(1).unwrap();
    let world = fakes.simulator().world(|world| world.newest_listings(usize::MAX));
    let name = world.first().unwrap().offered.variant.market_hash_name.as_str();
    let of_name_there = world.iter().filter(|listing| listing.offered.variant.market_hash_name.as_str() == name);
    let expected: Vec<u64> = of_name_there.map(|listing| listing.id.as_str().parse().unwrap()).collect();
    assert_eq!(ids(&answer(&fakes, &of_names(&[name])).body["data"][name]), expected);
    assert_eq!(ids(&answer(&fakes, &of_name(name)).body["data"]), expected);
}

#[test]
fn keys_are_counted_and_none_of_them_is_kept() {
    let fakes = Fakes::of_seed(1).unwrap();
    answer(&fakes, &of_names(&[REDLINE]));
    answer(&fakes, &of_name(REDLINE));
    answer(&fakes, &asked(OF_NAME, &[("hash_name", REDLINE)]));
    assert_eq!(fakes.shown_keys(), 1);
    assert!(!format!("{fakes:?}").contains(KEY));
}
