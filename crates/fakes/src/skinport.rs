//! The facade of Skinport: its price list, which is made again every five minutes, and its limit of 8 requests in 5 min.

mod list;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use time::Duration;
use tradepost_domain::time::Timestamp;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::each;

const NAME: &str = "skinport";
const ITEMS: &str = "GET /v1/items";
const ALLOWED: Allowed = Allowed { calls: 8, window: Duration::minutes(5) };
const CACHED: Duration = Duration::minutes(5);
const CURRENCIES: [&str; 16] =
    ["AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HRK", "NOK", "PLN", "RUB", "SEK", "TRY", "USD"];

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[ITEMS],
    form: |_, _| Form::Json,
    answer,
    limited: || error(429, "rate_limit_exceeded"),
    make_odd: |list| {
        each(list, |entry| {
            entry["state"] = json!(97);
            entry["seller"] = json!({ "id": "76561198000000000", "level": null });
        });
    },
    swap_types: |list| each(list, |entry| entry["quantity"] = json!(entry["quantity"].to_string())),
    drift: |list| each(list, |entry| entry["min_price"] = json!("11.50")),
};

/// The lists of currencies, as they were made in the last five minutes.
#[derive(Debug, Default)]
pub(crate) struct SkinportLists(BTreeMap<String, (Timestamp, Value)>);

impl SkinportLists {
    fn list(&mut self, fakes: &Fakes, currency: &str) -> Value {
        let now = fakes.now();
        if let Some((_, list)) = self.0.get(currency).filter(|(made, _)| now.since(*made) < CACHED) {
            return list.clone();
        }
        let list = list::of_world(fakes, currency);
        self.0.insert(currency.to_owned(), (now, list.clone()));
        list
    }
}

fn error(status: u16, id: &str) -> Reply {
    let card = if status == 429 { "skinport.limited" } else { "skinport.error" };
    Reply::of(card, status, json!({ "errors": [{ "id": id, "message": "the request was not done" }] }))
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    if let Left::Wait(seconds) = fakes.callers().count(NAME, ALLOWED, fakes.now()) {
        return error(429, "rate_limit_exceeded").with("retry-after", seconds.to_string());
    }
    if !asked.header("accept-encoding").contains("br") {
        return error(406, "brotli_required");
    }
    let currency = asked.query.get("currency").map_or("EUR", String::as_str);
    if !CURRENCIES.contains(&currency) {
        return error(400, "bad_request");
    }
    let list = match asked.query.get("app_id").map(String::as_str) {
        None | Some("730") => fakes.skinport_lists().list(fakes, currency),
        Some(_) => json!([]),
    };
    Reply::of("skinport.items.list", 200, list)
}

#[cfg(test)]
mod tests;
