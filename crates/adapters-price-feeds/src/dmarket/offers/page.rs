//! A page of offers: whole cents as text, in dollars, and what each item is.

use std::collections::BTreeSet;

use serde_json::Value;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::listing::{Listing, Rarity, Sticker};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::VenueCurrency;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::{ListingStatus, MarketListing};
use tradepost_ports::price_source::PriceResult;

use super::shape::{ALSO_KNOWN, NEEDED};
use crate::amount;
use crate::answer::{check, json};
use crate::listing_fields::{self, float_value, number, phase, text};

/// An offer of an item that a bot of the service keeps.
const OF_THE_SERVICE: &str = "dmarket";
/// How names of stickers and of charms begin at the game's market. Whether they do so here is not known.
const STICKERS: &str = "Sticker | ";
const PATCHES: &str = "Patch | ";
const CHARMS: &str = "Charm | ";

/// A page, and the cursor of the next.
#[derive(Debug)]
pub(super) struct OfferPage {
    pub(super) items: Vec<Value>,
    pub(super) next: Option<String>,
    /// The paths and types that are on no card.
    pub(super) new_shapes: BTreeSet<String>,
}

impl OfferPage {
    pub(super) fn read(body: &[u8]) -> PriceResult<Self> {
        let mut answer = json(body)?;
        let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
        let items = answer.get_mut("items").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
        let next = answer.get("cursor").and_then(Value::as_str).filter(|cursor| !cursor.is_empty());
        Ok(Self { items, next: next.map(str::to_owned), new_shapes })
    }
}

/// An offer at a time; `None` if it cannot be represented. A trait that is not understood is one that is not said, except for stickers, and
/// for a lock whose end is not known.
pub(super) fn offer(entry: &Value, now: Timestamp) -> Option<MarketListing> {
    if entry.get("offerType").and_then(Value::as_str).is_some_and(|of| of != OF_THE_SERVICE) {
        return None;
    }
    let attributes = entry.get("attributes")?;
    let cs2 = attributes.get("cs2").unwrap_or(&Value::Null);
    let wear = cs2.get("float").and_then(float_value);
    // An item without a wear has no pattern: its zeros say nothing.
    let of_pattern = |name: &str| wear.and_then(|_| number(cs2.get(name)));
    let phase = cs2.get("phase").and_then(Value::as_str).and_then(phase);
    let offered = Listing::<VenueCurrency> {
        variant: Variant {
            app_id: AppId::CS2,
            market_hash_name: MarketHashName::new(attributes.get("title")?.as_str()?).ok()?,
            phase,
        },
        rarity: cs2.get("quality").and_then(Value::as_str).and_then(rarity),
        float_value: wear,
        paint_seed: of_pattern("paintSeed"),
        paint_index: of_pattern("paintIndex"),
        stickers: stickers(cs2)?,
        charms: charms(cs2),
        price: entry.get("priceCents").and_then(amount::cents)?,
        trade_lock_days: lock_days(attributes, now)?,
        seller_success: None,
    };
    // An offer that is reserved may be on sale again.
    let is_reserved = entry.get("locked") == Some(&Value::Bool(true));
    Some(MarketListing {
        id: ExternalId::new(&text(entry.get("offerId"))?).ok()?,
        asset_id: AssetId::new(&text(attributes.get("steamAssetId"))?).ok()?,
        offered,
        status: if is_reserved { ListingStatus::Other(0) } else { ListingStatus::OnSale },
    })
}

/// For how many days an item cannot be traded on; `None` if it is locked, and the end of that is not said.
fn lock_days(attributes: &Value, now: Timestamp) -> Option<u32> {
    let end = attributes.get("unlockDate").and_then(Value::as_str).and_then(|at| at.parse::<Timestamp>().ok());
    match end {
        Some(end) => Some(end.days_since(now)),
        None if attributes.get("tradable") == Some(&Value::Bool(false)) => None,
        None => Some(0),
    }
}

fn rarity(quality: &str) -> Option<Rarity> {
    match quality {
        "QUALITY_CONSUMER_GRADE" | "QUALITY_BASE_GRADE" => Some(Rarity::Consumer),
        "QUALITY_INDUSTRIAL_GRADE" => Some(Rarity::Industrial),
        "QUALITY_MIL_SPEC" | "QUALITY_DISTINGUISHED" | "QUALITY_HIGH_GRADE" => Some(Rarity::MilSpec),
        "QUALITY_RESTRICTED" | "QUALITY_EXCEPTIONAL" | "QUALITY_REMARKABLE" => Some(Rarity::Restricted),
        "QUALITY_CLASSIFIED" | "QUALITY_SUPERIOR" | "QUALITY_EXOTIC" => Some(Rarity::Classified),
        "QUALITY_COVERT" | "QUALITY_MASTER" | "QUALITY_EXTRAORDINARY" => Some(Rarity::Covert),
        "QUALITY_CONTRABAND" => Some(Rarity::Contraband),
        _ => None,
    }
}

/// The stickers of an item; `None` if one of them has no name. One without a wear was never scraped.
fn stickers(cs2: &Value) -> Option<Vec<Sticker>> {
    let whole = |sticker: Sticker| {
        let name = market_name(&sticker.name, &[STICKERS, PATCHES])?;
        Some(Sticker { name, wear: sticker.wear.or(Some(FloatValue::MIN)) })
    };
    listing_fields::stickers(cs2)?.into_iter().map(whole).collect()
}

/// The names of what hangs on an item.
fn charms(cs2: &Value) -> Vec<MarketHashName> {
    let charms = cs2.get("charms").and_then(Value::as_array).into_iter().flatten();
    let name = |charm: &Value| {
        let name = MarketHashName::new(charm.get("name")?.as_str()?).ok()?;
        market_name(&name, &[CHARMS])
    };
    charms.filter_map(name).collect()
}

/// A name as it is at the game's market, where it begins with one of these; with the first of them, if it begins with none here.
fn market_name(name: &MarketHashName, beginnings: &[&str]) -> Option<MarketHashName> {
    if beginnings.iter().any(|beginning| name.as_str().starts_with(beginning)) {
        return Some(name.clone());
    }
    MarketHashName::new(&format!("{}{name}", beginnings.first().copied().unwrap_or_default())).ok()
}

#[cfg(test)]
mod tests;
