//! The facade of market.csgo.com: its exports of prices and of bids, its listings by name for callers with a key, and what it threatens to do
//! to callers with more than five requests a second.

mod listings;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "market-csgo";
const IN_DOLLARS: &str = "GET /api/v2/prices/USD.json";
const IN_EUROS: &str = "GET /api/v2/prices/EUR.json";
const IN_ROUBLES: &str = "GET /api/v2/prices/RUB.json";
const BIDS_IN_DOLLARS: &str = "GET /api/v2/prices/orders/USD.json";
const BIDS_IN_EUROS: &str = "GET /api/v2/prices/orders/EUR.json";
const BIDS_IN_ROUBLES: &str = "GET /api/v2/prices/orders/RUB.json";
const OF_NAMES: &str = "GET /api/v2/search-list-items-by-hash-name-all";
const OF_NAME: &str = "GET /api/v2/search-item-by-hash-name-specific";
const ALLOWED: Allowed = Allowed { calls: 5, window: Duration::SECOND };
/// The names under which bids and calls with a key are counted. Each has the limit of its own here.
const BIDS_NAME: &str = "market-csgo.bids";
const KEYED_NAME: &str = "market-csgo.keyed";

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[IN_DOLLARS, IN_EUROS, IN_ROUBLES, BIDS_IN_DOLLARS, BIDS_IN_EUROS, BIDS_IN_ROUBLES, OF_NAMES, OF_NAME],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("market-csgo.limited", 429, json!({ "success": false, "error": "too many requests" })),
    make_odd: |answer| {
        answer["version"] = json!(3);
        change(answer, |entry| entry["popularity"] = json!({ "week": null }));
    },
    swap_types: |answer| change(answer, swapped),
    drift: |answer| change(answer, |entry| entry["price"] = json!(true)),
};

/// Changes every entry of an export, or every listing of an answer.
fn change(answer: &mut Value, with: impl Fn(&mut Value)) {
    if let Some(items) = answer.get_mut("items") {
        each(items, &with);
    }
    match answer.get_mut("data") {
        Some(Value::Object(names)) => names.values_mut().for_each(|of_name| each(of_name, &with)),
        Some(listings) => each(listings, &with),
        None => {}
    }
}

fn swapped(entry: &mut Value) {
    swap(&mut entry["price"]);
    if entry.get("volume").is_some() {
        entry["volume"] = json!(7);
    }
    if entry.get("id").is_some() {
        swap(&mut entry["id"]);
        let extra = entry["extra"].as_object_mut();
        extra.into_iter().flatten().filter(|(name, _)| *name != "phase").for_each(|(_, field)| swap(field));
    }
}

/// Writes a number as text, and a text that is a number as that.
fn swap(field: &mut Value) {
    if field.is_number() {
        *field = json!(field.to_string());
    } else if let Some(number) = field.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()) {
        *field = number;
    }
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let counted = match asked.route {
        BIDS_IN_DOLLARS | BIDS_IN_EUROS | BIDS_IN_ROUBLES => BIDS_NAME,
        OF_NAMES | OF_NAME => KEYED_NAME,
        _ => NAME,
    };
    let mut callers = fakes.callers();
    if callers.is_banned(counted) {
        return Reply::of(
            "market-csgo.prices.refused",
            200,
            json!({ "success": false, "error": "the key is deleted" }),
        );
    }
    if let Left::Wait(_) = callers.count(counted, ALLOWED, fakes.now()) {
        callers.ban(counted);
        return (FACADE.limited)();
    }
    drop(callers);
    match asked.route {
        OF_NAMES => listings::of_names(fakes, asked),
        OF_NAME => listings::of_name(fakes, asked),
        BIDS_IN_DOLLARS => export(fakes, "USD", "market-csgo.bids", |best| best.bid),
        BIDS_IN_EUROS => export(fakes, "EUR", "market-csgo.bids", |best| best.bid),
        BIDS_IN_ROUBLES => export(fakes, "RUB", "market-csgo.bids", |best| best.bid),
        IN_EUROS => export(fakes, "EUR", "market-csgo.prices", |best| best.ask),
        IN_ROUBLES => export(fakes, "RUB", "market-csgo.prices", |best| best.ask),
        _ => export(fakes, "USD", "market-csgo.prices", |best| best.ask),
    }
}

/// An export: the names with one of their prices.
fn export(fakes: &Fakes, currency: &str, card: &str, price: fn(&world_prices::Best) -> i64) -> Reply {
    let entry = |(name, best): (String, world_prices::Best)| {
        let cents = price(&best);
        let price = format!("{}.{:02}0", cents / 100, cents % 100);
        json!({ "market_hash_name": name, "volume": "7", "price": price })
    };
    let items: Vec<Value> = world_prices::by_name(fakes).into_iter().map(entry).collect();
    let now = fakes.now().as_micros() / 1_000_000;
    Reply::of(card, 200, json!({ "success": true, "time": now, "currency": currency, "items": items }))
}

/// An answer in the currency of the account of the key.
fn of_account(card: &str, data: &Value) -> Reply {
    Reply::of(card, 200, json!({ "success": true, "currency": "USD", "data": data }))
}
