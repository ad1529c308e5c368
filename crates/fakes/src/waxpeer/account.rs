//! The account behind a key as Waxpeer shows it: the user with a wallet, the items on sale, and the buy orders page by page.

use serde_json::{Value, json};

use super::listings::{forbidden, has_key};
use super::{is_of_another_game, refused};
use crate::facade::{Asked, Reply};
use crate::own_account;
use crate::state::Fakes;

/// The entries of a page of orders.
const MOST: usize = 5;

/// The user. The wallet has a part of a cent.
pub(super) fn user(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let user = json!({
        "wallet": own_account::BALANCE * 10 + 7, "id": "11d6f117-1ad2-47e1-aca1-bca5df9e37fa", "userid": 1,
        "id64": "76561197960265729", "avatar": "https://images.example.com/i/1", "name": "a-trader", "sell_fees": 0.94,
        "can_p2p": true, "tradelink": "…", "login": "a-trader", "ref": "a-trader", "sell_status": true,
    });
    Reply::of("waxpeer.user", 200, json!({ "success": true, "user": user }))
}

/// All items on sale.
pub(super) fn listings(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    if is_of_another_game(asked) {
        return refused("wrong game");
    }
    let own = own_account::listings(fakes);
    let items: Vec<Value> = own
        .iter()
        .zip(1_u32..)
        .map(|(listing, position)| {
            let name = listing.offered.variant.market_hash_name.as_str();
            let mills = listing.offered.price.get() * 10;
            json!({
                "item_id": listing.asset_id.as_str(), "price": mills, "date": "2026-01-01T00:00:00.000Z",
                "position": position, "name": name, "market_name": name,
                "steam_price": { "average": mills, "current": mills, "name": name, "lowest_price": mills, "img": "…" },
            })
        })
        .collect();
    Reply::of("waxpeer.own-listings", 200, json!({ "success": true, "items": items }))
}

/// A page of the buy orders of the account.
pub(super) fn orders(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    if is_of_another_game(asked) || !asked.is_set("own") {
        return refused("wrong question");
    }
    let all = own_account::orders(fakes);
    // One item of each order was bought already.
    let order = |(number, (name, price, quantity)): (usize, &(String, i64, u32))| {
        json!({
            "id": number + 1, "name": name, "price": price * 10, "amount": quantity + 1, "game": "csgo", "filled": 1,
            "by": "11d6f117-1ad2-47e1-aca1-bca5df9e37fa",
        })
    };
    let offers: Vec<Value> = all.iter().enumerate().skip(asked.number("skip")).take(MOST).map(order).collect();
    Reply::of("waxpeer.own-orders", 200, json!({ "success": true, "offers": offers, "count": all.len() }))
}
