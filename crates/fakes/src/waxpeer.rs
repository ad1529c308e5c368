//! The facade of Waxpeer: its price list and its listings in thousandths of a dollar, its limit of 60 requests a minute, and the tighter
//! one of its searches.

mod listings;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "waxpeer";
const PRICES: &str = "GET /v1/prices";
const OF_NAMES: &str = "POST /v1/mass-info";
const DISCOUNTED: &str = "GET /v1/get-items-list";
const AVAILABILITY: &str = "GET /v1/check-availability";
const ALLOWED: Allowed = Allowed { calls: 60, window: Duration::MINUTE };
/// The calls for listings are counted separately. That of names alone is known.
const LISTINGS_ALLOWED: Allowed = Allowed { calls: 20, window: Duration::MINUTE };
/// The name under which they are counted.
const LISTINGS_NAME: &str = "waxpeer.listings";

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[PRICES, OF_NAMES, DISCOUNTED, AVAILABILITY],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("waxpeer.limited", 429, json!({ "msBeforeNext": 1500 })),
    make_odd: |answer| {
        answer["page"] = json!(null);
        change(answer, |entry| entry["auto"] = json!({ "since": 97 }));
    },
    swap_types: |answer| change(answer, swapped),
    drift: |answer| change(answer, drifted),
};

/// Changes every entry of a list, or every listing of an answer for names.
fn change(answer: &mut Value, with: impl Fn(&mut Value)) {
    if let Some(items) = answer.get_mut("items") {
        each(items, &with);
    }
    let of_names = answer.get_mut("data").and_then(Value::as_object_mut);
    for of_name in of_names.into_iter().flat_map(Map::values_mut) {
        each(&mut of_name["listings"], |entry| if entry.is_array() { each(entry, &with) } else { with(entry) });
    }
}

fn swapped(entry: &mut Value) {
    for name in ["min", "count", "steam_price", "price", "item_id", "paint_index", "float"] {
        let Some(field) = entry.get_mut(name) else { continue };
        if field.is_number() {
            *field = json!(field.to_string());
        } else if let Some(number) = field.as_str().and_then(|digits| digits.parse::<u64>().ok()) {
            *field = json!(number);
        }
    }
}

fn drifted(entry: &mut Value) {
    let price = if entry.get("min").is_some() { "min" } else { "price" };
    entry[price] = json!(true);
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let (name, allowed) = if asked.route == PRICES { (NAME, ALLOWED) } else { (LISTINGS_NAME, LISTINGS_ALLOWED) };
    if let Left::Wait(seconds) = fakes.callers().count(name, allowed, fakes.now()) {
        return (FACADE.limited)().with("retry-after", seconds.to_string());
    }
    match asked.route {
        OF_NAMES => listings::of_names(fakes, asked),
        DISCOUNTED => listings::discounted(fakes, asked),
        AVAILABILITY => listings::available(fakes, asked),
        _ => prices(fakes, asked),
    }
}

fn refused(message: &str) -> Reply {
    Reply::of("waxpeer.prices.refused", 200, json!({ "success": false, "msg": message }))
}

/// Whether it is asked for another game than it has here.
fn is_of_another_game(asked: &Asked) -> bool {
    asked.query.get("game").map(String::as_str) != Some("csgo")
}

fn prices(fakes: &Fakes, asked: &Asked) -> Reply {
    if is_of_another_game(asked) {
        return refused("wrong game");
    }
    let entry = |name: &str, mills: i64, count: u32| {
        let steam_price = (mills + 500).to_string();
        json!({
            "name": name, "count": count, "min": mills, "steam_price": steam_price,
            "img": "https://images.example.com/i/1", "rarity_color": "#EB4B4B", "type": "Rifle",
        })
    };
    // A price with a part of a cent, as some sellers have: the cent above is the price of the world.
    let of_name = |(number, (name, best)): (usize, (String, world_prices::Best))| {
        entry(&name, best.ask * 10 - i64::from(number.is_multiple_of(3)), 5)
    };
    let mut items: Vec<Value> = world_prices::by_name(fakes).into_iter().enumerate().map(of_name).collect();
    items.push(entry("Sticker | Sold Out", 1_000, 0));
    Reply::of("waxpeer.prices", 200, json!({ "success": true, "items": items }))
}
