//! The account behind the key as `DMarket` shows it: its balance, its offers and its targets.

use serde_json::{Value, json};

use super::offers::offer;
use super::{ENTRIES, error};
use crate::facade::{Asked, Reply};
use crate::own_account;
use crate::state::Fakes;

const MOST: usize = 100;

/// The balance, in cents as text.
pub(super) fn balance() -> Reply {
    let usd = own_account::BALANCE.to_string();
    let answer = json!({ "usd": usd, "usdAvailableToWithdraw": usd, "dmc": "0", "dmcAvailableToWithdraw": "0" });
    Reply::of("dmarket.balance", 200, answer)
}

/// A page of the offers.
pub(super) fn offers(fakes: &Fakes, asked: &Asked) -> Reply {
    let now = fakes.now();
    let all = own_account::listings(fakes).iter().map(|listing| offer(listing, now)).collect();
    page("dmarket.user-offers", asked, all)
}

/// A page of the targets. The last of them buys nothing.
pub(super) fn targets(fakes: &Fakes, asked: &Asked) -> Reply {
    let target = |number: usize, name: &str, price: i64, quantity: u32, status: &str| {
        json!({
            "targetId": format!("target-{number}"), "title": name, "amount": quantity.to_string(), "status": status,
            "priceCents": price.to_string(), "attributes": { "title": name },
            "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z",
        })
    };
    let active = own_account::orders(fakes).into_iter().enumerate();
    let mut all: Vec<Value> = active
        .map(|(number, (name, price, quantity))| target(number, &name, price, quantity, "TARGET_STATUS_ACTIVE"))
        .collect();
    all.push(target(all.len(), "Dr. Romanov", 1, 1, "TARGET_STATUS_INACTIVE"));
    page("dmarket.user-targets", asked, all)
}

/// A page of these items by cursor.
fn page(card: &str, asked: &Asked, all: Vec<Value>) -> Reply {
    let is_of_game = asked.query.get("gameId").is_some_and(|game| game == "a8db");
    if !is_of_game || !(1..=MOST).contains(&asked.number("limit")) {
        return error(400, "BadRequest");
    }
    let start = asked.query.get("cursor").and_then(|cursor| cursor.strip_prefix("after-")?.parse().ok()).unwrap_or(0);
    let total = all.len();
    let items: Vec<Value> = all.into_iter().skip(start).take(ENTRIES).collect();
    let end = start + items.len();
    let next = if end < total { format!("after-{end}") } else { String::new() };
    Reply::of(card, 200, json!({ "items": items, "total": total.to_string(), "cursor": next }))
}
