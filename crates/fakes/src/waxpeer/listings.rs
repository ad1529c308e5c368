//! The listings of a world as Waxpeer shows them, to callers with a key: by name, with the highest discounts, and whether one is on sale. The
//! id of a listing is that of its item at the game platform.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tradepost_ports::marketplace::MarketListing;

use super::{is_of_another_game, refused};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::world_prices;

/// The most listings of the list of discounts.
const MOST: usize = 100;
/// The most names that are asked for at once.
const MOST_NAMES: usize = 50;

/// The listings of some names. Whether they are a list or a list within a list is not known: it changes from hour to hour here.
pub(super) fn of_names(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let question: Value = serde_json::from_slice(&asked.body).unwrap_or(Value::Null);
    let names: Vec<&str> = question["name"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if is_of_another_game(asked) || names.len() > MOST_NAMES || question["sell"] != 1 {
        return refused("wrong question");
    }
    let is_flat = (fakes.now().as_micros() / 3_600_000_000).rem_euclid(2) == 0;
    let all = on_sale(fakes);
    let of_name = |name: &&str| {
        let of_name = all.iter().filter(|listing| listing.offered.variant.market_hash_name.as_str() == *name);
        let listings: Vec<Value> = of_name.map(|listing| of_seller(listing, is_flat)).collect();
        let (listings, history) = if is_flat { (json!(listings), json!([])) } else { (json!([listings]), json!([{}])) };
        ((*name).to_owned(), json!({ "listings": listings, "orders": [], "history": history, "info": {} }))
    };
    let data: Map<String, Value> = names.iter().map(of_name).collect();
    let card = if is_flat { "waxpeer.mass-info.flat" } else { "waxpeer.mass-info.nested" };
    Reply::of(card, 200, json!({ "success": true, "data": data }))
}

/// The listings with the highest discounts on the lowest ask of their name.
pub(super) fn discounted(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    if is_of_another_game(asked) || asked.query.get("order_by").map(String::as_str) != Some("discount") {
        return refused("wrong question");
    }
    let best = world_prices::by_name(fakes);
    let mut all = on_sale(fakes);
    all.sort_by_key(|listing| std::cmp::Reverse(discount(listing, &best)));
    let entry = |listing: &MarketListing| {
        let mut item = item(listing);
        item["float"] = wear(listing);
        item["best_deals"] = json!(541);
        item["discount"] = json!(discount(listing, &best));
        item["brand"] = json!("rifle");
        item["type"] = json!("Rifle");
        item
    };
    let items: Vec<Value> = all.iter().take(MOST).map(entry).collect();
    Reply::of("waxpeer.items-list", 200, json!({ "success": true, "count": items.len(), "items": items }))
}

/// Whether a listing is on sale. One that is not is missing.
pub(super) fn available(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let wanted = asked.query.get("item_id").map(String::as_str);
    let found = on_sale(fakes).into_iter().find(|listing| Some(listing.asset_id.as_str()) == wanted);
    let entry = |listing: MarketListing| {
        json!({
            "item_id": listing.asset_id.as_str(), "selling": true, "price": mills(&listing),
            "name": listing.offered.variant.market_hash_name.as_str(), "image": "https://images.example.com/i/1",
        })
    };
    let items: Vec<Value> = found.map(entry).into_iter().collect();
    Reply::of("waxpeer.availability", 200, json!({ "success": true, "items": items }))
}

/// Any text is a key.
pub(super) fn has_key(fakes: &Fakes, asked: &Asked) -> bool {
    let key = asked.query.get("api").filter(|key| !key.is_empty());
    if let Some(key) = key {
        fakes.callers().show_key(key);
    }
    key.is_some()
}

pub(super) fn forbidden() -> Reply {
    Reply::of("waxpeer.forbidden", 403, json!("You need to whitelist your IP"))
}

/// What is on sale, the newest first.
fn on_sale(fakes: &Fakes) -> Vec<MarketListing> {
    fakes.simulator().world(|world| world.newest_listings(usize::MAX))
}

/// A price with a part of a cent, as some sellers have: the cent above is the price of the world.
fn mills(listing: &MarketListing) -> i64 {
    let number = listing.id.as_str().parse::<u32>().unwrap_or_default();
    listing.offered.price.get() * 10 - i64::from(number % 4)
}

/// By how many hundredths a listing is below the lowest ask of its name in the lists.
fn discount(listing: &MarketListing, best: &BTreeMap<String, world_prices::Best>) -> i64 {
    let ask = best.get(listing.offered.variant.market_hash_name.as_str()).map_or(1, |best| best.ask.max(1));
    (ask - listing.offered.price.get()) * 100 / ask
}

fn wear(listing: &MarketListing) -> Value {
    let wear = listing.offered.float_value.and_then(|wear| serde_json::from_str(&wear.to_string()).ok());
    wear.unwrap_or(Value::Null)
}

fn item(listing: &MarketListing) -> Value {
    json!({
        "item_id": listing.asset_id.as_str(),
        "name": listing.offered.variant.market_hash_name.as_str(),
        "price": mills(listing),
        "steam_price": listing.offered.price.get() * 10 + 500,
        "image": "https://images.example.com/i/1",
    })
}

/// A listing among those of its name. The flat form has the phase in the name, and the wear.
fn of_seller(listing: &MarketListing, is_flat: bool) -> Value {
    let mut item = item(listing);
    item["by"] = json!("1247ffd5-f437-4a30-9953-10eda7df6e17");
    item["classid"] = json!("3669724953");
    item["paint_index"] = json!(listing.offered.paint_index);
    if let Some(phase) = &listing.offered.variant.phase {
        item["phase"] = json!(phase.as_str());
    }
    if is_flat {
        item["float"] = wear(listing);
        item["type"] = json!("Rifle");
        let name = listing.offered.variant.market_hash_name.as_str();
        if let (Some(phase), Some((weapon, wear))) = (&listing.offered.variant.phase, name.split_once(" (")) {
            item["name"] = json!(format!("{weapon} {phase} ({wear}"));
        }
    }
    item
}
