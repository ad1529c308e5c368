//! The account behind a key as `CSFloat` shows it: the user, the stall page by page, and the buy orders.

use serde_json::{Value, json};

use super::listings::{entry, forbidden, has_key};
use crate::facade::{Asked, Reply};
use crate::own_account;
use crate::state::Fakes;

/// The id of the account at the game platform.
const OWNER: &str = "76561197960265729";
/// The entries of a page, whatever is asked for: fewer than it allows, so that a small world has several.
const MOST: usize = 5;

/// The user.
pub(super) fn me(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let user = json!({
        "steam_id": OWNER, "balance": own_account::BALANCE, "pending_balance": 0, "fee": 0.02, "withdraw_fee": 0.025,
        "trade_token": "…", "has_api_key": true,
    });
    Reply::of("csfloat.me", 200, json!({ "user": user, "actionable_trades": 0 }))
}

/// A page of the stall of the account.
pub(super) fn stall(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let own = if asked.segment == OWNER { own_account::listings(fakes) } else { Vec::new() };
    let total: i64 = own.iter().map(|listing| listing.offered.price.get()).sum();
    let start = asked.query.get("cursor").and_then(|cursor| cursor.strip_prefix("after-")?.parse().ok()).unwrap_or(0);
    let now = fakes.now();
    let page: Vec<Value> = own.iter().skip(start).take(MOST).map(|listing| entry(listing, now)).collect();
    let mut answer = json!({ "data": page, "total_count": own.len(), "total_price": total });
    let end = start + page.len();
    if end < own.len() {
        answer["cursor"] = json!(format!("after-{end}"));
    }
    Reply::of("csfloat.stall", 200, answer)
}

/// A page of the buy orders of the account.
pub(super) fn orders(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let all = own_account::orders(fakes);
    let order = |(number, (name, price, quantity)): (usize, &(String, i64, u32))| {
        json!({
            "id": format!("90{number}"), "created_at": "2026-01-01T00:00:00Z", "market_hash_name": name,
            "qty": quantity, "price": price,
        })
    };
    let skipped = asked.number("page") * MOST;
    let page: Vec<Value> = all.iter().enumerate().skip(skipped).take(MOST).map(order).collect();
    Reply::of("csfloat.buy-orders", 200, json!({ "orders": page, "count": all.len() }))
}
