//! The offers of a world as `DMarket` shows them: the newest first, of all names or of those that begin with a title.

use serde_json::{Value, json};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};
use tradepost_domain::markets::listing::Rarity;
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::MarketListing;

use super::{error, swap};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;

const MOST: usize = 100;
/// For how long an item is locked, if it is: three days and a part of one.
const LOCKED: Duration = Duration::hours(3 * 24 + 1);

/// A page of offers.
pub(super) fn page(fakes: &Fakes, asked: &Asked) -> Reply {
    let is = |name: &str, value: &str| asked.query.get(name).is_some_and(|given| given == value);
    let limit = asked.number("limit");
    if !is("gameId", "a8db") || !is("orderBy", "createdAt") || !is("orderDir", "desc") || !(1..=MOST).contains(&limit) {
        return error(400, "BadRequest");
    }
    let title = asked.query.get("title").map(|title| title.to_lowercase()).unwrap_or_default();
    let is_wanted =
        |listing: &MarketListing| listing.offered.variant.market_hash_name.as_str().to_lowercase().starts_with(&title);
    let mut wanted = fakes.simulator().world(|world| world.newest_listings(usize::MAX));
    wanted.retain(is_wanted);
    let cursor = asked.query.get("cursor").and_then(|cursor| cursor.strip_prefix("after-")?.parse().ok());
    let start: usize = cursor.unwrap_or(0);
    let now = fakes.now();
    let items: Vec<Value> = wanted.iter().skip(start).take(limit).map(|listing| offer(listing, now)).collect();
    let end = start + items.len();
    let next = if end < wanted.len() { format!("after-{end}") } else { String::new() };
    let answer = json!({ "items": items, "total": wanted.len().to_string(), "cursor": next });
    Reply::of("dmarket.offers", 200, answer)
}

/// Writes ids and amounts as numbers, and numbers of patterns as texts.
pub(super) fn swap_types(offer: &mut Value) {
    swap(&mut offer["priceCents"]);
    swap(&mut offer["attributes"]["steamAssetId"]);
    for name in ["paintSeed", "paintIndex"] {
        swap(&mut offer["attributes"]["cs2"][name]);
    }
}

/// An offer. Every seventh is reserved for a buyer, and the item of every fourth is locked.
pub(super) fn offer(listing: &MarketListing, now: Timestamp) -> Value {
    let number = listing.id.as_str().parse::<u32>().unwrap_or_default();
    let is_locked = number.is_multiple_of(4);
    json!({
        "offerId": listing.id.as_str(),
        "priceCents": listing.offered.price.get().to_string(),
        "locked": number.is_multiple_of(7),
        "createdAt": written(now),
        "offerType": "dmarket",
        "discountPercent": 0,
        "attributes": {
            "id": format!("asset-{number}"),
            "steamAssetId": listing.asset_id.as_str(),
            "title": listing.offered.variant.market_hash_name.as_str(),
            "botId": "76561197960265729",
            "tradable": !is_locked,
            "unlockDate": is_locked.then(|| written(now.plus(LOCKED))),
            "withdrawable": !is_locked,
            "cs2": cs2(listing),
        },
    })
}

/// What is said of an item of the game. Whether names of stickers and charms begin with the word is not known: every second does here.
fn cs2(listing: &MarketListing) -> Value {
    let offered = &listing.offered;
    let phase = offered.variant.phase.as_ref().map(|phase| phase.as_str().to_lowercase().replace(' ', "-"));
    let shown = |slot: usize, name: &str, word: &str| {
        if slot.is_multiple_of(2) { name.trim_start_matches(word).to_owned() } else { name.to_owned() }
    };
    let stickers: Vec<Value> = offered
        .stickers
        .iter()
        .enumerate()
        .map(|(slot, sticker)| {
            let wear = sticker.wear.map(|wear| wear.to_string()).unwrap_or_default();
            json!({ "name": shown(slot, sticker.name.as_str(), "Sticker | "), "slot": slot, "wear": wear })
        })
        .collect();
    let charms = offered.charms.iter().enumerate();
    let charms: Vec<Value> =
        charms.map(|(slot, charm)| json!({ "name": shown(slot, charm.as_str(), "Charm | "), "pattern": 7 })).collect();
    json!({
        "float": offered.float_value.map(|wear| wear.to_string()).unwrap_or_default(),
        "paintSeed": offered.paint_seed.unwrap_or_default(),
        "paintIndex": offered.paint_index.unwrap_or_default(),
        "phase": phase.unwrap_or_default(),
        "quality": quality(offered.rarity),
        "stickers": stickers,
        "charms": charms,
    })
}

const fn quality(rarity: Option<Rarity>) -> &'static str {
    match rarity {
        Some(Rarity::Consumer) => "QUALITY_CONSUMER_GRADE",
        Some(Rarity::Industrial) => "QUALITY_INDUSTRIAL_GRADE",
        Some(Rarity::MilSpec) => "QUALITY_MIL_SPEC",
        Some(Rarity::Restricted) => "QUALITY_RESTRICTED",
        Some(Rarity::Classified) => "QUALITY_CLASSIFIED",
        Some(Rarity::Covert) => "QUALITY_COVERT",
        Some(Rarity::Contraband) => "QUALITY_CONTRABAND",
        None => "QUALITY_UNSPECIFIED",
    }
}

/// A time as the service writes times.
fn written(at: Timestamp) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at.as_micros() / 1_000_000).ok();
    at.and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default()
}
