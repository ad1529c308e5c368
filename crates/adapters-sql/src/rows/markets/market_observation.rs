//! `market_observations`: what was seen of listings.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::listing::{Listing, Rarity, Sticker};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Text;
use tradepost_ports::store::{PriceSnapshot, StoreResult};

use crate::rows::markets::price_snapshot;
use crate::rows::transition::{actor_of, actor_to_columns};
use crate::rows::{RowLocation, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "market_observations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub marketplace: String,
    pub listing_id: String,
    pub asset_id: Option<String>,
    pub app_id: i64,
    pub market_hash_name: String,
    pub phase: String,
    pub price: i64,
    pub traits: Option<String>,
    pub observed_at: i64,
    pub recorded_at: i64,
    pub actor_kind: i16,
    pub actor_user_id: Option<Uuid>,
    pub actor_key_id: Option<Uuid>,
    pub kept: i16,
    pub told: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// What few listings have. What is not there is left out.
#[derive(Serialize, Deserialize, Default, PartialEq)]
#[serde(deny_unknown_fields, default)]
struct Traits {
    #[serde(skip_serializing_if = "Option::is_none")]
    rarity: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    float: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stickers: Vec<(String, Option<String>)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    charms: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lock_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seller: Option<u16>,
}

/// Returns the row of a new observation, with the prices at the time.
pub(crate) fn to_row(observation: &MarketObservation, prices: &PriceSnapshot) -> Model {
    let MarketObservation { snapshot, .. } = observation;
    let (actor_kind, actor_user_id, actor_key_id) = actor_to_columns(observation.recorded_by);
    Model {
        workspace_id: uuid(observation.workspace_id),
        id: uuid(observation.id),
        marketplace: snapshot.marketplace.to_string(),
        listing_id: snapshot.listing_id.to_string(),
        asset_id: snapshot.asset_id.as_ref().map(ToString::to_string),
        app_id: i64::from(snapshot.listing.variant.app_id.get()),
        market_hash_name: snapshot.listing.variant.market_hash_name.to_string(),
        phase: phase_to_column(&snapshot.listing.variant),
        price: snapshot.listing.price.get(),
        traits: traits_to_json(&snapshot.listing),
        observed_at: snapshot.observed_at.as_micros(),
        recorded_at: observation.recorded_at.as_micros(),
        actor_kind,
        actor_user_id,
        actor_key_id,
        kept: 0,
        told: price_snapshot::to_json(prices),
    }
}

/// The phase of a variant, empty for one without.
pub(crate) fn phase_to_column(variant: &Variant) -> String {
    variant.phase.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// The variant in its three columns.
pub(crate) fn variant_of(at: RowLocation, app_id: i64, name: &str, phase: &str) -> StoreResult<Variant> {
    let phase = Some(phase).filter(|phase| !phase.is_empty());
    Ok(Variant {
        app_id: at.read("app_id", AppId::new(at.number("app_id", app_id)?))?,
        market_hash_name: at.read("market_hash_name", Text::new(name))?,
        phase: at.read_some("phase", phase, Text::new)?,
    })
}

fn traits_to_json(listing: &Listing) -> Option<String> {
    let traits = Traits {
        rarity: listing.rarity.map(Rarity::code),
        float: listing.float_value.as_ref().map(ToString::to_string),
        seed: listing.paint_seed,
        index: listing.paint_index,
        stickers: listing
            .stickers
            .iter()
            .map(|sticker| (sticker.name.to_string(), sticker.wear.as_ref().map(ToString::to_string)))
            .collect(),
        charms: listing.charms.iter().map(ToString::to_string).collect(),
        lock_days: Some(listing.trade_lock_days).filter(|days| *days > 0),
        seller: listing.seller_success.map(BasisPoints::get),
    };
    // Texts and numbers are always JSON.
    (traits != Traits::default()).then(|| serde_json::to_string(&traits).unwrap_or_default())
}

/// Returns the observation in a row, with the prices at the time.
pub(crate) fn to_domain_then(row: &Model) -> StoreResult<(MarketObservation, PriceSnapshot)> {
    Ok((to_domain(row)?, price_snapshot::from_json(place(row), row.told.as_deref())?))
}

const fn place(row: &Model) -> RowLocation {
    RowLocation { table: "market_observations", home: row.workspace_id, key: row.id }
}

/// The observation in a row.
pub(crate) fn to_domain(row: &Model) -> StoreResult<MarketObservation> {
    let at = place(row);
    Ok(MarketObservation {
        id: id(row.id),
        workspace_id: id(row.workspace_id),
        snapshot: ListingSnapshot {
            marketplace: at.read("marketplace", Text::new(&row.marketplace))?,
            listing_id: at.read("listing_id", Text::new(&row.listing_id))?,
            asset_id: at.read_some("asset_id", row.asset_id.as_deref(), AssetId::new)?,
            listing: listing_of(at, row)?,
            observed_at: at.time("observed_at", row.observed_at)?,
        },
        recorded_at: at.time("recorded_at", row.recorded_at)?,
        recorded_by: actor_of(at, row.actor_kind, row.actor_user_id, row.actor_key_id)?,
    })
}

fn listing_of(at: RowLocation, row: &Model) -> StoreResult<Listing> {
    let traits: Traits = match row.traits.as_deref() {
        Some(json) => at.read(TRAITS, serde_json::from_str(json))?,
        None => Traits::default(),
    };
    let sticker = |name: &str, wear: Option<&str>| {
        let wear = at.read_some(TRAITS, wear, str::parse)?;
        Ok(Sticker { name: at.read(TRAITS, Text::new(name))?, wear })
    };
    let stickers = traits.stickers.iter().map(|(name, wear)| sticker(name, wear.as_deref()));
    let rarity = traits.rarity.map(|code| at.code(TRAITS, code, Rarity::from_code)).transpose()?;
    Ok(Listing {
        variant: variant_of(at, row.app_id, &row.market_hash_name, &row.phase)?,
        rarity,
        float_value: at.read_some(TRAITS, traits.float.as_deref(), str::parse)?,
        paint_seed: traits.seed,
        paint_index: traits.index,
        stickers: stickers.collect::<StoreResult<_>>()?,
        charms: traits.charms.iter().map(|name| at.read(TRAITS, Text::new(name))).collect::<StoreResult<_>>()?,
        price: at.cents("price", row.price)?,
        trade_lock_days: traits.lock_days.unwrap_or(0),
        seller_success: at.read_some(TRAITS, traits.seller, BasisPoints::new)?,
    })
}

const TRAITS: &str = "traits";
