//! The listings of a world as `CSFloat` shows them, to callers with a key.

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tradepost_domain::markets::listing::{Rarity, Sticker};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::{ListingStatus, MarketListing};

use super::{is_bare, limit_too_high};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;

/// The most listings of an answer.
const MOST: usize = 50;
/// The completed ones of the trades of a seller, of whom every third has none.
const TRADES: u32 = 24;
const COMPLETED: u32 = 23;

/// Listings on sale: those that were listed last, unless another order is asked for.
pub(super) fn newest(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let limit = if asked.query.contains_key("limit") { asked.number("limit") } else { MOST };
    if limit > MOST {
        return limit_too_high();
    }
    let mut listings = fakes.simulator().world(|world| world.newest_listings(MOST));
    if asked.query.get("sort_by").map(String::as_str) != Some("most_recent") {
        listings.sort_by_key(|listing| listing.offered.price);
    }
    let now = fakes.now();
    let list: Vec<Value> = listings.iter().take(limit).map(|listing| entry(listing, now)).collect();
    if is_bare(fakes) {
        Reply::of("csfloat.listings.bare", 200, Value::Array(list))
    } else {
        Reply::of("csfloat.listings.data", 200, json!({ "data": list, "cursor": "none" }))
    }
}

/// One listing, also when it was sold or withdrawn.
pub(super) fn single(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return forbidden();
    }
    let id = ExternalId::new(&asked.segment).ok();
    let found = id.and_then(|id| fakes.simulator().world(|world| world.visible_listing(&id)));
    found.map_or_else(missing, |listing| Reply::of("csfloat.listing", 200, entry(&listing, fakes.now())))
}

/// Any text is a key.
pub(super) fn has_key(fakes: &Fakes, asked: &Asked) -> bool {
    let key = asked.header("authorization");
    if key.is_empty() {
        return false;
    }
    fakes.callers().show_key(key);
    true
}

pub(super) fn forbidden() -> Reply {
    let error = json!({ "code": 1, "message": "You need to be logged in to search listings" });
    Reply::of("csfloat.listings.forbidden", 403, error)
}

fn missing() -> Reply {
    Reply::of("csfloat.listing.missing", 500, json!({ "code": 1, "message": "record not found" }))
}

pub(super) fn entry(listing: &MarketListing, now: Timestamp) -> Value {
    let state = match listing.status {
        ListingStatus::OnSale => "listed",
        ListingStatus::Sold => "sold",
        ListingStatus::Withdrawn => "delisted",
        ListingStatus::Other(_) => "refunded",
    };
    json!({
        "id": listing.id.as_str(),
        "created_at": written(now),
        "type": "buy_now",
        "price": listing.offered.price.get(),
        "state": state,
        "seller": seller(listing),
        "item": item(listing),
        "watchers": 0,
    })
}

/// A seller with statistics, or one of no trades. Sellers can hide their number.
fn seller(listing: &MarketListing) -> Value {
    let number = listing.id.as_str().parse::<u32>().unwrap_or_default();
    let (all, completed) = if number.is_multiple_of(3) { (0, 0) } else { (TRADES, COMPLETED) };
    json!({
        "obfuscated_id": number.to_string(),
        "online": number.is_multiple_of(2),
        "statistics": {
            "median_trade_time": 236,
            "total_failed_trades": all - completed,
            "total_trades": all,
            "total_verified_trades": completed,
        },
    })
}

/// The item. It has the fields alone of which there is something to say.
fn item(listing: &MarketListing) -> Value {
    let offered = &listing.offered;
    let mut item = json!({
        "asset_id": listing.asset_id.as_str(),
        "def_index": 7,
        "market_hash_name": offered.variant.market_hash_name.as_str(),
        "rarity": offered.rarity.map_or(0, Rarity::code),
        "quality": 4,
        "is_stattrak": false,
        "tradable": 0,
    });
    let wear = offered.float_value.and_then(|wear| serde_json::from_str::<Value>(&wear.to_string()).ok());
    let traits = [
        ("float_value", wear),
        ("paint_seed", offered.paint_seed.map(Value::from)),
        ("paint_index", offered.paint_index.map(Value::from)),
        ("phase", offered.variant.phase.as_ref().map(|phase| Value::from(phase.as_str()))),
    ];
    for (name, value) in traits {
        if let Some(value) = value {
            item[name] = value;
        }
    }
    if !offered.stickers.is_empty() {
        item["stickers"] = offered.stickers.iter().enumerate().map(|(slot, stuck)| sticker(slot, stuck)).collect();
    }
    item
}

fn sticker(slot: usize, sticker: &Sticker) -> Value {
    let mut stuck = json!({
        "stickerId": 1_060, "slot": slot, "name": sticker.name.as_str(), "reference": { "price": 736 },
    });
    if let Some(wear) = sticker.wear.and_then(|wear| serde_json::from_str::<Value>(&wear.to_string()).ok()) {
        stuck["wear"] = wear;
    }
    stuck
}

/// A time as the service writes times.
fn written(at: Timestamp) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at.as_micros() / 1_000_000).ok();
    at.and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default()
}
