//! Listings of Waxpeer, in thousandths of a dollar: of names, with the highest discounts, and one of which is said whether it is on sale. The
//! id of a listing is that of the item at the game platform. Neither stickers nor patterns are shown.

mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::mem::take;

use serde_json::{Map, Value};
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::VenueCurrency;
use tradepost_domain::text::{ExternalId, MarketHashName, Name};
use tradepost_ports::marketplace::{ListingStatus, MarketListing};
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json};
use crate::listing_fields::{float_value, number, text};
use crate::listing_market::Found;

/// The most listings that are used of a name, the cheapest first.
pub(super) const MOST_OF_A_NAME: usize = 25;

/// Reads the answer to a question for names. Names are keys in it, and some have their listings in a list within the list.
pub(super) fn of_names(body: &[u8]) -> PriceResult<Found> {
    let mut answer = json(body)?;
    flatten(&mut answer);
    let new_shapes = check(&answer, shape::NEEDED_OF_NAMES, shape::KNOWN_OF_NAMES)?;
    let mut found = Found { new_shapes, ..Found::default() };
    for of_name in answer.get("data").and_then(Value::as_array).into_iter().flatten() {
        let name = of_name.get("name").and_then(Value::as_str);
        let entries = of_name.get("listings").and_then(Value::as_array).into_iter().flatten();
        let read = Found::of(entries.map(|entry| listing(entry, name)), BTreeSet::new());
        let mut cheapest = read.listings;
        cheapest.sort_by_key(|listing| listing.offered.price);
        cheapest.truncate(MOST_OF_A_NAME);
        found.listings.append(&mut cheapest);
        found.left_out += read.left_out;
    }
    Ok(found)
}

/// Reads the answer to a question for the highest discounts.
pub(super) fn discounted(body: &[u8]) -> PriceResult<Found> {
    let answer = json(body)?;
    let new_shapes = check(&answer, shape::NEEDED_OF_LIST, shape::KNOWN_OF_LIST)?;
    let entries = answer.get("items").and_then(Value::as_array).into_iter().flatten();
    Ok(Found::of(entries.map(|entry| listing(entry, None)), new_shapes))
}

/// Reads the answer to the question whether a listing is on sale; `None` if it is not.
pub(super) fn available(body: &[u8], id: &ExternalId) -> PriceResult<Option<Found>> {
    let answer = json(body)?;
    let new_shapes = check(&answer, shape::NEEDED_OF_AVAILABLE, shape::KNOWN_OF_AVAILABLE)?;
    let mut entries = answer.get("items").and_then(Value::as_array).into_iter().flatten();
    let entry = entries.find(|entry| text(entry.get("item_id")).as_deref() == Some(id.as_str()));
    let on_sale = entry.filter(|entry| entry.get("selling") == Some(&Value::Bool(true)));
    Ok(on_sale.map(|entry| Found::of([listing(entry, None)], new_shapes)))
}

/// A listing; `None` if it cannot be represented, or is of another name than this. A trait that is not understood is one that is not said.
fn listing(entry: &Value, of_name: Option<&str>) -> Option<MarketListing> {
    let id = text(entry.get("item_id"))?;
    let phase = entry.get("phase").and_then(Value::as_str).and_then(|phase| Name::new(phase).ok());
    let name = market_name(entry.get("name")?.as_str()?, phase.as_ref());
    if of_name.is_some_and(|of_name| of_name != name) {
        return None;
    }
    let offered = Listing::<VenueCurrency> {
        variant: Variant { app_id: AppId::CS2, market_hash_name: MarketHashName::new(&name).ok()?, phase },
        rarity: None,
        float_value: entry.get("float").and_then(float_value),
        paint_seed: None,
        paint_index: number(entry.get("paint_index")),
        stickers: Vec::new(),
        charms: Vec::new(),
        price: entry.get("price").and_then(amount::mills)?,
        // What is locked is shown to those alone who ask for it.
        trade_lock_days: 0,
        seller_success: None,
    };
    let asset_id = AssetId::new(&id).ok()?;
    Some(MarketListing { id: ExternalId::new(&id).ok()?, asset_id, offered, status: ListingStatus::OnSale })
}

/// The name at the game's market, which is one for all phases. Some answers have the phase in it.
fn market_name(name: &str, phase: Option<&Name>) -> String {
    phase.map_or_else(|| name.to_owned(), |phase| name.replacen(&format!(" {phase} ("), " (", 1))
}

/// Gives an answer whose keys are names the form that its shape describes: a list of objects with a name, each with one list.
fn flatten(answer: &mut Value) {
    let Some(data) = answer.get_mut("data") else { return };
    if let Some(names) = data.as_object_mut().map(take::<Map<String, Value>>) {
        *data = names.into_iter().map(|(name, of_name)| named(name, of_name)).collect();
    }
}

fn named(name: String, mut of_name: Value) -> Value {
    if let Some(listings) = of_name.get_mut("listings").and_then(Value::as_array_mut) {
        for entry in take(listings) {
            if let Value::Array(within) = entry { listings.extend(within) } else { listings.push(entry) }
        }
    }
    if let Some(fields) = of_name.as_object_mut() {
        fields.insert("name".to_owned(), Value::String(name));
    }
    of_name
}
