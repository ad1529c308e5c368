//! The facade against its cards and its limits.

use super::*;
use crate::facade::tests::hold_to_cards;

const KEY: &str = "a-key";
const NAME_OF_ITEM: &str = "AK-47 | Redline (Field-Tested)";

fn asked(route: &'static str, query: &[(&str, &str)]) -> Asked {
    let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Asked { route, query, ..Asked::default() }
}

fn of_game(route: &'static str, game: &str) -> Asked {
    asked(route, &[("api", KEY), ("game", game), ("order_by", "discount")])
}

fn of_names(names: &[&str]) -> Asked {
    let body = json!({ "name": names, "sell": 1 }).to_string();
    Asked { body: body.into(), ..of_game(OF_NAMES, "csgo") }
}

fn of_item(id: &str) -> Asked {
    asked(AVAILABILITY, &[("api", KEY), ("item_id", id)])
}

/// A call for a part of the account, from an entry on.
fn of_account(route: &'static str, skip: &str) -> Asked {
    asked(route, &[("api", KEY), ("game", "csgo"), ("own", "1"), ("skip", skip)])
}

fn prices_until_the_limit(fakes: &Fakes) -> Vec<Reply> {
    let mut replies: Vec<Reply> = (0..60).map(|_| answer(fakes, &of_game(PRICES, "csgo"))).collect();
    assert!(replies.iter().all(|reply| reply.status == 200));
    replies.push(answer(fakes, &of_game(PRICES, "csgo")));
    assert_eq!(replies.last().map(|reply| reply.status), Some(429));
    fakes.advance(Duration::MINUTE);
    replies.push(answer(fakes, &of_game(PRICES, "dota2")));
    replies
}

#[test]
fn every_answer_has_the_shape_of_a_card_and_sixty_a_minute_are_answered() {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut replies = prices_until_the_limit(&fakes);
    let listed = answer(&fakes, &of_game(DISCOUNTED, "csgo"));
    let id = listed.body["items"][0]["item_id"].as_str().unwrap().to_owned();
    replies.push(listed);
    let names = [NAME_OF_ITEM, "★ Karambit | Doppler (Factory New)", "Sticker | Sold Out"];
    replies.extend([answer(&fakes, &of_names(&names)), answer(&fakes, &of_item(&id)), answer(&fakes, &of_item("7"))]);
    fakes.advance(Duration::hours(1));
    replies.push(answer(&fakes, &of_names(&names)));
    for refused in [of_names(&[NAME_OF_ITEM; 51]), of_game(DISCOUNTED, "rust")] {
        let reply = answer(&fakes, &refused);
        assert_eq!(reply.body["success"], false);
        replies.push(reply);
    }
    for route in [OF_NAMES, DISCOUNTED, AVAILABILITY, USER, OWN_LISTINGS, OWN_ORDERS] {
        let reply = answer(&fakes, &asked(route, &[("game", "csgo")]));
        assert_eq!(reply.status, 403, "{route}");
        replies.push(reply);
    }
    replies.push(answer(&fakes, &of_game(BIDS, "csgo")));
    replies.extend([USER, OWN_LISTINGS, OWN_ORDERS].map(|route| answer(&fakes, &of_account(route, "0"))));
    hold_to_cards(&FACADE, &fakes, replies);
}

#[test]
fn listings_are_counted_separately_from_price_lists_and_have_fewer_calls() {
    let fakes = Fakes::of_seed(1).unwrap();
    let statuses: Vec<u16> = (0..21).map(|_| answer(&fakes, &of_item("7")).status).collect();
    assert_eq!((&statuses[..20], statuses[20]), ([200; 20].as_slice(), 429));
    assert_eq!(answer(&fakes, &of_names(&[NAME_OF_ITEM])).status, 429);
    assert_eq!(answer(&fakes, &of_game(PRICES, "csgo")).status, 200);
}

#[test]
fn the_listings_of_a_name_are_those_of_the_world_in_both_forms_and_what_was_sold_is_missing() {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut first = None;
    for _ in 0..2 {
        let world = fakes.simulator().world(|world| world.newest_listings(usize::MAX));
        let name = &world.first().unwrap().offered.variant.market_hash_name;
        let listings = answer(&fakes, &of_names(&[name.as_str()])).body["data"][name.as_str()]["listings"].clone();
        let flat = if listings[0].is_array() { listings[0].clone() } else { listings };
        let id = |entry: &Value| entry["item_id"].as_str().unwrap().to_owned();
        let ids: Vec<String> = flat.as_array().unwrap().iter().map(id).collect();
        let of_name = world.iter().filter(|listing| listing.offered.variant.market_hash_name == *name);
        assert_eq!(ids, of_name.map(|listing| listing.asset_id.to_string()).collect::<Vec<_>>());
        first = ids.into_iter().next();
        fakes.advance(Duration::hours(1));
    }
    fakes.advance(Duration::hours(14));
    let shown = answer(&fakes, &of_item(&first.unwrap())).body;
    assert_eq!(shown["items"].as_array().map(Vec::len), Some(0), "it was sold");
}

#[test]
fn keys_are_counted_and_none_of_them_is_kept() {
    let fakes = Fakes::of_seed(1).unwrap();
    answer(&fakes, &of_names(&[NAME_OF_ITEM]));
    answer(&fakes, &of_item("7"));
    answer(&fakes, &asked(AVAILABILITY, &[("item_id", "7")]));
    assert_eq!(fakes.shown_keys(), 1);
    assert!(!format!("{fakes:?}").contains(KEY));
}

#[test]
fn the_pages_of_the_orders_have_each_of_them_once() {
    let fakes = Fakes::of_seed(1).unwrap();
    let mut ids: Vec<i64> = Vec::new();
    loop {
        let page = answer(&fakes, &of_account(OWN_ORDERS, &ids.len().to_string())).body;
        let offers = page["offers"].as_array().unwrap();
        ids.extend(offers.iter().map(|offer| offer["id"].as_i64().unwrap()));
        if offers.is_empty() {
            break;
        }
        assert_eq!(page["count"], 7);
    }
    assert_eq!(ids, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn bids_and_prices_are_counted_together() {
    let fakes = Fakes::of_seed(1).unwrap();
    for route in [PRICES, BIDS].repeat(30) {
        assert_eq!(answer(&fakes, &of_game(route, "csgo")).status, 200);
    }
    assert_eq!(answer(&fakes, &of_game(BIDS, "csgo")).status, 429);
}
