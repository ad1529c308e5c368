//! The listings of a world as market.csgo.com shows them to callers with a key: of some names, and of one.

use serde_json::{Map, Value, json};
use tradepost_ports::marketplace::MarketListing;

use super::of_account;
use crate::facade::{Asked, Reply};
use crate::state::Fakes;

/// The most names that are asked for at once.
const MOST_NAMES: usize = 50;

/// The listings of some names, by name.
pub(super) fn of_names(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return key_refused();
    }
    let parameters = form_urlencoded::parse(asked.raw_query.as_bytes());
    let is_name = |(name, _): &(String, String)| name == "list_hash_name[]";
    let names: Vec<String> = parameters.into_owned().filter(is_name).map(|(_, name)| name).collect();
    if names.is_empty() || names.len() > MOST_NAMES {
        return refused("wrong question");
    }
    let all = fakes.simulator().world(|world| world.newest_listings(usize::MAX));
    let data: Map<String, Value> = names.into_iter().map(|name| of(&all, name)).collect();
    of_account("market-csgo.listings", &Value::Object(data))
}

/// The listings of one name.
pub(super) fn of_name(fakes: &Fakes, asked: &Asked) -> Reply {
    if !has_key(fakes, asked) {
        return key_refused();
    }
    let Some(name) = asked.query.get("hash_name") else { return refused("wrong question") };
    let all = fakes.simulator().world(|world| world.newest_listings(usize::MAX));
    let (_, data) = of(&all, name.clone());
    of_account("market-csgo.listing", &data)
}

/// A name with its listings.
fn of(all: &[MarketListing], name: String) -> (String, Value) {
    let of_name = all.iter().filter(|listing| listing.offered.variant.market_hash_name.as_str() == name);
    let listings: Vec<Value> = of_name.map(listing).collect();
    (name, json!(listings))
}

/// Any text is a key.
fn has_key(fakes: &Fakes, asked: &Asked) -> bool {
    let key = asked.query.get("key").filter(|key| !key.is_empty());
    if let Some(key) = key {
        fakes.callers().show_key(key);
    }
    key.is_some()
}

fn key_refused() -> Reply {
    Reply::of("market-csgo.key.refused", 200, json!({ "success": false, "error": "bad_key" }))
}

fn refused(error: &str) -> Reply {
    Reply::of("market-csgo.prices.refused", 200, json!({ "success": false, "error": error }))
}

/// A listing, with a price that has a part of a cent: the cent above is the price of the world.
fn listing(listing: &MarketListing) -> Value {
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    let (id, offered) = (number(listing.id.as_str()), &listing.offered);
    let part = i64::try_from(id % 4).unwrap_or_default();
    let mut extra = json!({ "asset": number(listing.asset_id.as_str()) });
    if let Some(wear) = offered.float_value {
        extra["float"] = json!(wear.to_string());
    }
    if let Some(phase) = &offered.variant.phase {
        extra["phase"] = json!(phase.as_str().to_ascii_lowercase().replace(' ', ""));
    }
    if let Some(seed) = offered.paint_seed {
        extra["paintseed"] = json!(seed.to_string());
    }
    if let Some(index) = offered.paint_index {
        extra["paintindex"] = json!(index.to_string());
    }
    json!({
        "id": id, "market_hash_name": offered.variant.market_hash_name.as_str(), "price": offered.price.get() * 10 - part,
        "class": 5_075_999_874_u64, "instance": 188_530_139, "count": 1, "extra": extra,
    })
}
