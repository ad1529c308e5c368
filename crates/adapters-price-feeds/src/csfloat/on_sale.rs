//! The listings of `CSFloat`: bare or in an object, as its price list, and one alone. Prices are in cents.

mod shape;
#[cfg(test)]
mod tests;

use serde_json::Value;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::listing::{Listing, Rarity};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::VenueCurrency;
use tradepost_domain::text::{ExternalId, MarketHashName, Name};
use tradepost_ports::marketplace::{ListingStatus, MarketListing};
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json};
use crate::listing_fields::{float_value, number, stickers, text};
use crate::listing_market::Found;

/// What is sold at a price. All else is auctioned.
const AT_A_PRICE: &str = "buy_now";
/// The whole, in basis points.
const WHOLE: i64 = 10_000;

/// Reads the answer to a question for listings.
pub(super) fn newest(body: &[u8]) -> PriceResult<Found> {
    let answer = json(body)?;
    let (needed, also_known) = if answer.is_object() {
        (shape::NEEDED_IN_OBJECT, shape::KNOWN_IN_OBJECT)
    } else {
        (shape::NEEDED_BARE, shape::KNOWN_BARE)
    };
    let new_shapes = check(&answer, needed, also_known)?;
    let entries = answer.as_array().or_else(|| answer.get("data").and_then(Value::as_array));
    Ok(Found::of(entries.into_iter().flatten().map(listing), new_shapes))
}

/// Reads the answer to a question for one listing.
pub(super) fn single(body: &[u8]) -> PriceResult<Found> {
    let answer = json(body)?;
    let new_shapes = check(&answer, shape::NEEDED_ALONE, shape::KNOWN_ALONE)?;
    Ok(Found::of([listing(&answer)], new_shapes))
}

/// A listing; `None` if it cannot be represented. A trait that is not understood is one that is not said, except for stickers: without
/// one of them, an item would look plainer than it is.
fn listing(entry: &Value) -> Option<MarketListing> {
    if text(entry.get("type"))? != AT_A_PRICE {
        return None;
    }
    let item = entry.get("item")?;
    let offered = Listing::<VenueCurrency> {
        variant: variant(item)?,
        rarity: item.get("rarity").and_then(rarity),
        float_value: item.get("float_value").and_then(float_value),
        paint_seed: number(item.get("paint_seed")),
        paint_index: number(item.get("paint_index")),
        stickers: stickers(item)?,
        // No card has them.
        charms: Vec::new(),
        price: entry.get("price").and_then(amount::cents)?,
        // Only what can be traded is put on sale.
        trade_lock_days: 0,
        seller_success: entry.get("seller").and_then(seller_success),
    };
    Some(MarketListing {
        id: ExternalId::new(&text(entry.get("id"))?).ok()?,
        asset_id: AssetId::new(&text(item.get("asset_id"))?).ok()?,
        offered,
        status: status(&text(entry.get("state"))?),
    })
}

fn variant(item: &Value) -> Option<Variant> {
    let market_hash_name = MarketHashName::new(&text(item.get("market_hash_name"))?).ok()?;
    let phase = item.get("phase").and_then(Value::as_str).and_then(|phase| Name::new(phase).ok());
    Some(Variant { app_id: AppId::CS2, market_hash_name, phase })
}

/// Whether a listing can be bought. No document has all states, so that one that is not known proves nothing.
fn status(state: &str) -> ListingStatus {
    match state {
        "listed" => ListingStatus::OnSale,
        "sold" => ListingStatus::Sold,
        "delisted" => ListingStatus::Withdrawn,
        _ => ListingStatus::Other(0),
    }
}

/// How rare an item is. Its numbers are those of the domain: both follow the game.
fn rarity(number: &Value) -> Option<Rarity> {
    amount::count(number).and_then(|number| i16::try_from(number).ok()).and_then(Rarity::from_code)
}

/// The share of trades that a seller completed. One without a trade has none.
fn seller_success(seller: &Value) -> Option<BasisPoints> {
    let statistics = seller.get("statistics")?;
    let count = |name: &str| statistics.get(name).and_then(amount::count);
    let (all, verified) = (count("total_trades")?, count("total_verified_trades")?);
    let share = verified.checked_mul(WHOLE)?.checked_div(all)?;
    BasisPoints::new(u16::try_from(share).ok()?).ok()
}
