//! The facade of `CSFloat`: its price list, its listings and the buy orders of a name in cents, lists bare or in an object, and headers that
//! show what is left of a limit.

mod account;
mod listings;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "csfloat";
const PRICE_LIST: &str = "GET /api/v1/listings/price-list";
const LISTINGS: &str = "GET /api/v1/listings";
const SINGLE: &str = "GET /api/v1/listings/{id}";
const ME: &str = "GET /api/v1/me";
const STALL: &str = "GET /api/v1/users/{id}/stall";
const ORDERS: &str = "GET /api/v1/me/buy-orders";
const ORDERS_OF_NAME: &str = "POST /api/v1/buy-orders/similar-orders";
/// The real limit is not known; headers show it.
const ALLOWED: Allowed = Allowed { calls: 10, window: Duration::minutes(5) };
/// The calls for listings are counted separately. Their limit is tighter, by how much is not known.
const LISTINGS_ALLOWED: Allowed = Allowed { calls: 8, window: Duration::minutes(5) };
/// The name under which they are counted.
const LISTINGS_NAME: &str = "csfloat.listings";
/// So are those for the account.
const ACCOUNT_ALLOWED: Allowed = Allowed { calls: 20, window: Duration::minutes(5) };
const ACCOUNT_NAME: &str = "csfloat.account";
/// So are those for the buy orders of a name.
const BIDS_ALLOWED: Allowed = Allowed { calls: 30, window: Duration::minutes(5) };
const BIDS_NAME: &str = "csfloat.bids";

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[PRICE_LIST, LISTINGS, SINGLE, ME, STALL, ORDERS, ORDERS_OF_NAME],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("csfloat.limited", 429, json!({ "code": 20, "message": "too many requests" })),
    make_odd: |answer| change(answer, odd),
    swap_types: |answer| change(answer, swapped),
    drift: |answer| change(answer, drifted),
};

/// Changes every entry of a list, or the one listing of an answer.
fn change(answer: &mut Value, with: impl Fn(&mut Value)) {
    if answer.get("item").is_some() || answer.get("user").is_some() {
        with(answer);
    } else if let Some(orders) = answer.get_mut("orders") {
        each(orders, with);
    } else if answer.is_array() {
        each(answer, with);
    } else {
        each(&mut answer["data"], with);
    }
}

fn odd(entry: &mut Value) {
    entry["phases"] = json!({ "Ruby": 1 });
    if let Some(item) = entry.get_mut("item") {
        item["keychains"] = json!([{ "pattern": 97 }]);
    }
}

fn swapped(entry: &mut Value) {
    as_text(entry, &["min_price", "quantity", "price"]);
    if let Some(item) = entry.get_mut("item") {
        as_text(item, &["paint_seed", "paint_index", "rarity"]);
        let number = item["asset_id"].as_str().and_then(|digits| digits.parse::<u64>().ok());
        item["asset_id"] = json!(number);
    }
}

/// Writes these fields as texts, as far as they are there.
fn as_text(of: &mut Value, names: &[&str]) {
    for name in names {
        if let Some(field) = of.get_mut(name) {
            *field = json!(field.to_string());
        }
    }
}

fn drifted(entry: &mut Value) {
    if let Some(user) = entry.get_mut("user") {
        user["balance"] = json!(true);
        return;
    }
    let price = if entry.get("min_price").is_some() { "min_price" } else { "price" };
    entry[price] = json!(true);
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let (name, allowed) = match asked.route {
        PRICE_LIST => (NAME, ALLOWED),
        ME | STALL | ORDERS => (ACCOUNT_NAME, ACCOUNT_ALLOWED),
        ORDERS_OF_NAME => (BIDS_NAME, BIDS_ALLOWED),
        _ => (LISTINGS_NAME, LISTINGS_ALLOWED),
    };
    let left = fakes.callers().count(name, allowed, fakes.now());
    let reply = match (left, asked.route) {
        (Left::Wait(_), _) => (FACADE.limited)(),
        (Left::Calls(..), LISTINGS) => listings::newest(fakes, asked),
        (Left::Calls(..), SINGLE) => listings::single(fakes, asked),
        (Left::Calls(..), ME) => account::me(fakes, asked),
        (Left::Calls(..), STALL) => account::stall(fakes, asked),
        (Left::Calls(..), ORDERS) => account::orders(fakes, asked),
        (Left::Calls(..), ORDERS_OF_NAME) => orders_of_name(fakes, asked),
        (Left::Calls(..), _) => price_list(fakes, asked),
    };
    shown(reply, allowed, left, fakes)
}

fn price_list(fakes: &Fakes, asked: &Asked) -> Reply {
    if asked.query.contains_key("limit") {
        return limit_too_high();
    }
    let mut list: Vec<Value> = world_prices::by_name(fakes)
        .into_iter()
        .map(|(name, best)| json!({ "market_hash_name": name, "quantity": 7, "min_price": best.ask }))
        .collect();
    list.push(json!({ "market_hash_name": "Sticker | Sold Out", "quantity": 0, "min_price": 100 }));
    if is_bare(fakes) {
        Reply::of("csfloat.price-list.bare", 200, Value::Array(list))
    } else {
        Reply::of("csfloat.price-list.data", 200, json!({ "data": list, "cursor": "none" }))
    }
}

/// The buy orders of a name, the best first. The best of all takes no item but one of a low wear.
fn orders_of_name(fakes: &Fakes, asked: &Asked) -> Reply {
    if !listings::has_key(fakes, asked) {
        return listings::forbidden();
    }
    let question: Value = serde_json::from_slice(&asked.body).unwrap_or(Value::Null);
    let name = question["market_hash_name"].as_str().unwrap_or_default();
    let best = world_prices::by_name(fakes).get(name).map(|best| best.bid).filter(|bid| *bid > 1);
    let orders = best.map_or_else(Vec::new, |bid| {
        vec![
            json!({ "market_hash_name": name, "qty": 1, "price": bid + 1, "hybrid_properties": { "max_float": 0.01 } }),
            json!({ "market_hash_name": name, "qty": 2, "price": bid }),
            json!({ "market_hash_name": name, "qty": 5, "price": bid - 1 }),
        ]
    });
    Reply::of("csfloat.bids", 200, json!({ "data": orders }))
}

fn limit_too_high() -> Reply {
    Reply::of("csfloat.error", 400, json!({ "code": 4, "message": "limit is too high" }))
}

/// Which of the two forms lists have is not known: it changes from hour to hour here.
fn is_bare(fakes: &Fakes) -> bool {
    (fakes.now().as_micros() / 3_600_000_000).rem_euclid(2) == 0
}

/// A reply with what is left of its limit, and the time from which the whole is there again.
fn shown(reply: Reply, allowed: Allowed, left: Left, fakes: &Fakes) -> Reply {
    let (left, wait) = match left {
        Left::Calls(left, wait) => (left, wait),
        Left::Wait(wait) => (0, wait),
    };
    let seconds = fakes.now().as_micros() / 1_000_000;
    reply
        .with("x-ratelimit-limit", allowed.calls.to_string())
        .with("x-ratelimit-remaining", left.to_string())
        .with("x-ratelimit-reset", seconds.saturating_add_unsigned(wait).to_string())
}
