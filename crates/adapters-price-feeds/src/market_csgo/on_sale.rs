//! Listings of market.csgo.com: of names, and one among those of its name. Amounts are thousandths of a dollar, if the account of the key has
//! its prices in dollars. Stickers are numbers there, and rarities are not shown.

mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::mem::take;

use serde_json::{Map, Value, json};
use tradepost_adapters_outside::answers;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::VenueCurrency;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::marketplace::{ListingStatus, MarketListing, SoughtListing};
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, refused, unless_error};
use crate::listing_fields::{float_value, number, phase, text};
use crate::listing_market::Found;

/// The most listings that are used of a name, the cheapest first.
pub(super) const MOST_OF_A_NAME: usize = 25;
const DOLLARS: &str = "USD";

/// Reads the answer to a question for names. Names are keys in it.
pub(super) fn of_names(body: &[u8]) -> PriceResult<Found> {
    let mut answer = content(body)?;
    list_names(&mut answer);
    let new_shapes = check(&answer, shape::NEEDED_OF_NAMES, shape::KNOWN_OF_NAMES)?;
    in_dollars(&answer)?;
    let mut found = Found { new_shapes, ..Found::default() };
    for of_name in answer.get("data").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = of_name.get("name").and_then(Value::as_str) else { continue };
        let entries = of_name.get("listings").and_then(Value::as_array).into_iter().flatten();
        let on_sale = entries.filter(|entry| is_on_sale(entry));
        let read = Found::of(on_sale.map(|entry| listing(entry, name)), BTreeSet::new());
        let mut cheapest = read.listings;
        cheapest.sort_by_key(|listing| listing.offered.price);
        cheapest.truncate(MOST_OF_A_NAME);
        found.listings.append(&mut cheapest);
        found.left_out += read.left_out;
    }
    Ok(found)
}

/// Reads one listing from the answer to a question for its name; `None` if it is not on sale.
pub(super) fn one(body: &[u8], sought: &SoughtListing) -> PriceResult<Option<Found>> {
    let answer = content(body)?;
    let new_shapes = check(&answer, shape::NEEDED_OF_NAME, shape::KNOWN_OF_NAME)?;
    in_dollars(&answer)?;
    let is_sought = |entry: &&Value| text(entry.get("id")).as_deref() == Some(sought.id.as_str());
    let mut entries = answer.get("data").and_then(Value::as_array).into_iter().flatten();
    let entry = entries.find(is_sought).filter(|entry| is_on_sale(entry));
    Ok(entry.map(|entry| Found::of([listing(entry, sought.market_hash_name.as_str())], new_shapes)))
}

/// An answer, unless it is a refusal. One that is about the key is a lost session.
fn content(body: &[u8]) -> PriceResult<Value> {
    let answer = answers::json(body)?;
    let error = answer.get("error").and_then(Value::as_str).unwrap_or_default();
    if error.to_ascii_lowercase().replace('_', " ") == "bad key" {
        return Err(ExternalError::AuthLost { effect: Effect::Nothing });
    }
    unless_error(answer)
}

/// Prices are in the currency of the account, and the unit of an amount depends on it.
fn in_dollars(answer: &Value) -> PriceResult<()> {
    if answer.get("currency").and_then(Value::as_str) == Some(DOLLARS) {
        return Ok(());
    }
    Err(refused(format!("the account of the key has its prices in another currency than {DOLLARS}")))
}

/// Gives an answer whose keys are names the form that its shape describes: a list of objects with a name, each with one list.
fn list_names(answer: &mut Value) {
    let Some(data) = answer.get_mut("data") else { return };
    if let Some(names) = data.as_object_mut().map(take::<Map<String, Value>>) {
        *data = names.into_iter().map(|(name, listings)| json!({ "name": name, "listings": listings })).collect();
    }
}

/// Whether an entry is there to be bought. One whose number is 0 was sold.
fn is_on_sale(entry: &Value) -> bool {
    number(entry.get("count")) != Some(0)
}

/// A listing; `None` if it cannot be represented, or is of another name. A trait that is not understood is one that is not said.
fn listing(entry: &Value, of_name: &str) -> Option<MarketListing> {
    let name = entry.get("market_hash_name").and_then(Value::as_str).unwrap_or(of_name);
    if name != of_name {
        return None;
    }
    // An item that has no traits has a list without entries here.
    let extra = entry.get("extra").unwrap_or(&Value::Null);
    let phase = extra.get("phase").and_then(Value::as_str).and_then(phase);
    let offered = Listing::<VenueCurrency> {
        variant: Variant { app_id: AppId::CS2, market_hash_name: MarketHashName::new(name).ok()?, phase },
        rarity: None,
        float_value: extra.get("float").and_then(float_value),
        paint_seed: number(extra.get("paintseed")),
        paint_index: number(extra.get("paintindex")),
        stickers: Vec::new(),
        charms: Vec::new(),
        price: entry.get("price").and_then(amount::mills)?,
        // Sellers can list only what they can give.
        trade_lock_days: 0,
        seller_success: None,
    };
    let id = ExternalId::new(&text(entry.get("id"))?).ok()?;
    let asset_id = AssetId::new(&text(extra.get("asset"))?).ok()?;
    Some(MarketListing { id, asset_id, offered, status: ListingStatus::OnSale })
}
