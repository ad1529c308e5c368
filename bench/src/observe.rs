//! Observations to record: listings that were not seen before, as the port takes them, as rows and as JSON. They follow from
//! their numbers but for the time, since what is old is forgotten.

use anyhow::Context as _;
use serde_json::{Value, json};
use tradepost_domain::asset::AssetId;
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Actor;
use tradepost_ports::clock::Clock as _;
use uuid::Uuid;

use crate::data::{Cell, Table, mix};
use crate::market::any_listing;
use crate::office::text;

/// As many as one call takes.
pub(crate) const AT_ONCE: usize = tradepost_ports::store::MOST_OBSERVATIONS;
const MARKETPLACE: &str = "sim";
const FIRST_ASSET: u64 = 80_000_000_000;

/// What the product writes of an observation, and the hand-written programs as well.
pub(crate) const OBSERVATIONS: Table = Table {
    name: "market_observations",
    columns: &[
        "workspace_id",
        "id",
        "marketplace",
        "listing_id",
        "asset_id",
        "app_id",
        "market_hash_name",
        "phase",
        "price",
        "traits",
        "observed_at",
        "recorded_at",
        "actor_kind",
        "kept",
    ],
};

/// What is on sale under this number, as it was seen now.
pub(crate) fn snapshot(number: u32, at: Timestamp) -> anyhow::Result<ListingSnapshot> {
    Ok(ListingSnapshot {
        marketplace: text(MARKETPLACE)?,
        listing_id: text(&format!("seen-{number}"))?,
        asset_id: Some(AssetId::new(&(FIRST_ASSET + u64::from(number)).to_string())?),
        listing: Listing { rarity: None, ..any_listing(number)? },
        observed_at: at,
    })
}

/// So many sightings from a number on.
pub(crate) fn sightings(first: u32, many: u32) -> anyhow::Result<Vec<ListingSnapshot>> {
    let at = tradepost::SystemClock.now();
    (first..first + many).map(|number| snapshot(number, at)).collect()
}

/// So many observations from a number on.
pub(crate) fn observations(first: u32, many: u32, workspace_id: WorkspaceId) -> anyhow::Result<Vec<MarketObservation>> {
    let at = tradepost::SystemClock.now();
    let observation = |number| {
        Ok(MarketObservation {
            id: Id::from_bytes(id(number, at)?.into_bytes()),
            workspace_id,
            snapshot: snapshot(number, at)?,
            recorded_at: at,
            recorded_by: Actor::System,
        })
    };
    (first..first + many).map(observation).collect()
}

fn id(number: u32, at: Timestamp) -> anyhow::Result<Uuid> {
    let mut random = [0; 10];
    for (place, byte) in random.iter_mut().zip(mix(u64::from(number)).to_be_bytes()) {
        *place = byte;
    }
    let millis = u64::try_from(at.as_micros() / 1_000).context("before 1970")?;
    Ok(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
}

/// The row of an observation, in the order of [`OBSERVATIONS`].
pub(crate) fn row(observation: &MarketObservation) -> Vec<Cell> {
    let ListingSnapshot { marketplace, listing_id, asset_id, listing, observed_at } = &observation.snapshot;
    let uuid = |bytes| Cell::Id(Uuid::from_bytes(bytes));
    let phase = listing.variant.phase.as_ref().map(ToString::to_string).unwrap_or_default();
    vec![
        uuid(observation.workspace_id.to_bytes()),
        uuid(observation.id.to_bytes()),
        marketplace.to_string().into(),
        listing_id.to_string().into(),
        asset_id.as_ref().map(ToString::to_string).into(),
        i64::from(listing.variant.app_id.get()).into(),
        listing.variant.market_hash_name.to_string().into(),
        phase.into(),
        listing.price.get().into(),
        traits(listing).into(),
        observed_at.as_micros().into(),
        observation.recorded_at.as_micros().into(),
        // Recorded by the service itself; nothing came of it yet.
        3_i64.into(),
        0_i64.into(),
    ]
}

fn traits(listing: &Listing) -> String {
    let mut parts = Vec::new();
    parts.extend(listing.float_value.as_ref().map(|float| format!(r#""float":"{float}""#)));
    parts.extend(listing.paint_seed.map(|seed| format!(r#""seed":{seed}"#)));
    if !listing.stickers.is_empty() {
        let stickers: Vec<_> = listing.stickers.iter().map(|sticker| format!(r#"["{}",null]"#, sticker.name)).collect();
        parts.push(format!(r#""stickers":[{}]"#, stickers.join(",")));
    }
    format!("{{{}}}", parts.join(","))
}

/// The sightings as a call of the interface has them.
pub(crate) fn json(sightings: &[ListingSnapshot]) -> Value {
    sightings.iter().map(one_as_json).collect()
}

fn one_as_json(snapshot: &ListingSnapshot) -> Value {
    let listing = &snapshot.listing;
    let stickers: Vec<Value> =
        listing.stickers.iter().map(|sticker| json!({ "name": sticker.name.as_str() })).collect();
    json!({
        "marketplace": snapshot.marketplace.as_str(),
        "listingId": snapshot.listing_id.as_str(),
        "assetId": snapshot.asset_id.as_ref().map(ToString::to_string),
        "marketHashName": listing.variant.market_hash_name.as_str(),
        "phase": listing.variant.phase.as_ref().map(ToString::to_string).unwrap_or_default(),
        "floatValue": listing.float_value.as_ref().map(ToString::to_string),
        "paintSeed": listing.paint_seed,
        "stickers": stickers,
        "priceCents": listing.price.get().to_string(),
    })
}
