//! The facade of Waxpeer: its price list, its bids, its listings and an account in thousandths of a dollar, its limit of 60 requests a minute,
//! and the tighter one of its searches.

mod account;
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
const BIDS: &str = "GET /v1/buy-orders/snapshot";
const USER: &str = "GET /v1/user";
const OWN_LISTINGS: &str = "GET /v1/list-items-steam";
const OWN_ORDERS: &str = "GET /v1/buy-orders";
const ALLOWED: Allowed = Allowed { calls: 60, window: Duration::MINUTE };
/// The calls for listings are counted separately. That of names alone is known.
const LISTINGS_ALLOWED: Allowed = Allowed { calls: 20, window: Duration::MINUTE };
/// The name under which they are counted.
const LISTINGS_NAME: &str = "waxpeer.listings";
/// So are those for the account.
const ACCOUNT_NAME: &str = "waxpeer.account";

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[PRICES, OF_NAMES, DISCOUNTED, AVAILABILITY, BIDS, USER, OWN_LISTINGS, OWN_ORDERS],
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

/// Changes every entry of a list, every listing of an answer for names, or the user.
fn change(answer: &mut Value, with: impl Fn(&mut Value)) {
    for list in ["items", "offers"] {
        if let Some(entries) = answer.get_mut(list) {
            each(entries, &with);
        }
    }
    if let Some(user) = answer.get_mut("user") {
        with(user);
    }
    let of_names = answer.get_mut("data").and_then(Value::as_object_mut);
    for of_name in of_names.into_iter().flat_map(Map::values_mut) {
        each(&mut of_name["listings"], |entry| if entry.is_array() { each(entry, &with) } else { with(entry) });
    }
}

fn swapped(entry: &mut Value) {
    for name in ["min", "max", "count", "steam_price", "price", "item_id", "paint_index", "float", "wallet"] {
        let Some(field) = entry.get_mut(name) else { continue };
        if field.is_number() {
            *field = json!(field.to_string());
        } else if let Some(number) = field.as_str().and_then(|digits| digits.parse::<u64>().ok()) {
            *field = json!(number);
        }
    }
}

fn drifted(entry: &mut Value) {
    let price = ["min", "max", "wallet"].into_iter().find(|name| entry.get(name).is_some()).unwrap_or("price");
    entry[price] = json!(true);
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let (name, allowed) = match asked.route {
        PRICES | BIDS => (NAME, ALLOWED),
        USER | OWN_LISTINGS | OWN_ORDERS => (ACCOUNT_NAME, LISTINGS_ALLOWED),
        _ => (LISTINGS_NAME, LISTINGS_ALLOWED),
    };
    if let Left::Wait(seconds) = fakes.callers().count(name, allowed, fakes.now()) {
        return (FACADE.limited)().with("retry-after", seconds.to_string());
    }
    match asked.route {
        OF_NAMES => listings::of_names(fakes, asked),
        DISCOUNTED => listings::discounted(fakes, asked),
        AVAILABILITY => listings::available(fakes, asked),
        BIDS => bids(fakes, asked),
        USER => account::user(fakes, asked),
        OWN_LISTINGS => account::listings(fakes, asked),
        OWN_ORDERS => account::orders(fakes, asked),
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

/// The highest bid of each name. One has a part of a cent, as some buyers have: the cent below is the bid of the world.
fn bids(fakes: &Fakes, asked: &Asked) -> Reply {
    if is_of_another_game(asked) {
        return refused("wrong game");
    }
    let entry = |(number, (name, best)): (usize, (String, world_prices::Best))| {
        let mills = best.bid * 10 + i64::from(number.is_multiple_of(3));
        json!({ "name": name, "max": mills, "by": "1247ffd5-f437-4a30-9953-10eda7df6e17" })
    };
    let offers: Vec<Value> = world_prices::by_name(fakes).into_iter().enumerate().map(entry).collect();
    let now = fakes.now().as_micros() / 1_000_000;
    Reply::of("waxpeer.bids", 200, json!({ "success": true, "timestamp": now, "offers": offers }))
}
