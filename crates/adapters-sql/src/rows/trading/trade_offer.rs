//! `trade_offers`: trade offers as our accounts see them, and the trades that came of them.

mod wish;

use std::num::NonZeroU64;

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId, ReasonText, Text};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::giving::Given;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeStatus};
use tradepost_domain::trading::trade_offer::{
    OfferDirection, OfferOrigin, OfferOwner, OfferRequest, OfferStep, OfferTrade, OfferedAsset, Strangeness,
    TradeOffer, TradeOfferParts, TradeOfferStatus, TradedAsset,
};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trade_offers")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_name: String,
    pub partner: String,
    pub direction: i16,
    pub offer_id: Option<String>,
    pub status: i16,
    pub shown: Option<i64>,
    pub glitched: i16,
    pub items: String,
    pub owner_kind: Option<i16>,
    pub owner_id: Option<Uuid>,
    pub trade_id: Option<String>,
    pub trade: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
    pub expires_at: Option<i64>,
    pub origin: i16,
    pub wish: Option<String>,
    pub request_step: Option<i16>,
    pub requested_at: Option<i64>,
    pub begun_at: Option<i64>,
    pub request_failure: Option<String>,
    pub strangeness: Option<i16>,
    pub hold_seconds: Option<i64>,
    pub given_cents: Option<i64>,
    pub given_at: Option<i64>,
    pub given_allowed: i16,
    pub request_accepts_hold: i16,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Game, asset id and market name.
#[derive(Serialize, Deserialize)]
struct Item(u32, String, String);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Items {
    gives: Vec<Item>,
    receives: Vec<Item>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trade {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    status: Option<u32>,
    assets: Vec<Moved>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    held_until: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    protected_until: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rollback: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Moved {
    item: Item,
    given: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    context: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    back: Option<String>,
}

/// The number and the bytes of what an offer is for.
pub(crate) fn owner_to_columns(owner: OfferOwner) -> (i16, Uuid) {
    match owner {
        OfferOwner::Purchase(id) => (1, uuid(id)),
        OfferOwner::Item(id) => (2, uuid(id)),
    }
}

impl Stored for TradeOffer {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let owner = self.owner.map(owner_to_columns);
        let items = |assets: &[OfferedAsset]| assets.iter().map(item_of).collect();
        let items = Items { gives: items(&self.gives), receives: items(&self.receives) };
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_name: self.account_name.to_string(),
            partner: self.partner.to_string(),
            direction: self.direction.code(),
            offer_id: self.offer_id.as_ref().map(ToString::to_string),
            status: self.status.code(),
            shown: self.shown.map(|shown| i64::from(shown.number())),
            glitched: i16::from(self.is_glitched),
            // Texts and numbers are always JSON.
            items: serde_json::to_string(&items).unwrap_or_default(),
            owner_kind: owner.map(|(kind, _)| kind),
            owner_id: owner.map(|(_, id)| id),
            trade_id: self.trade.as_ref().map(|trade| trade.id.to_string()),
            trade: self.trade.as_ref().map(trade_to_json),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            expires_at: self.expires_at.map(Timestamp::as_micros),
            origin: self.origin.code(),
            wish: self.wish.as_ref().map(wish::to_json),
            request_step: self.request.map(|request| request.step.code()),
            requested_at: self.request.map(|request| request.requested_at.as_micros()),
            begun_at: self.request.and_then(|request| request.begun_at).map(Timestamp::as_micros),
            request_failure: self.request_failure.as_ref().map(ToString::to_string),
            strangeness: self.strangeness.map(Strangeness::code),
            hold_seconds: self.hold_seconds.map(i64::from),
            given_cents: self.given.and_then(|given| given.value).map(Cents::get),
            given_at: self.given.map(|given| given.at.as_micros()),
            given_allowed: i16::from(self.given.is_some_and(|given| given.is_allowed)),
            request_accepts_hold: i16::from(self.request.is_some_and(|request| request.accepts_hold)),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "trade_offers", home: row.workspace_id, key: row.id };
        let items: Items = at.read("items", serde_json::from_str(&row.items))?;
        let assets = |items: Vec<Item>| items.into_iter().map(|item| asset_of(at, &item)).collect::<StoreResult<_>>();
        let parts = TradeOfferParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_name: at.read("account_name", AccountName::new(&row.account_name))?,
            partner: at.read("partner", row.partner.parse::<NonZeroU64>().map(PlatformUserId::new))?,
            direction: at.code("direction", row.direction, OfferDirection::from_code)?,
            offer_id: at.read_some("offer_id", row.offer_id.as_deref(), ExternalId::new)?,
            status: at.code("status", row.status, TradeOfferStatus::from_code)?,
            shown: row.shown.map(|number| at.number("shown", number).map(OfferStatus::from_number)).transpose()?,
            is_glitched: row.glitched != 0,
            gives: assets(items.gives)?,
            receives: assets(items.receives)?,
            owner: owner_of(&row, at)?,
            trade: trade_of(&row, at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
            expires_at: at.time_some("expires_at", row.expires_at)?,
            origin: at.code("origin", row.origin, OfferOrigin::from_code)?,
            wish: row.wish.as_deref().map(|json| wish::of_json(at, json)).transpose()?,
            request: request_of(&row, at)?,
            request_failure: at.read_some("request_failure", row.request_failure.as_deref(), ReasonText::new)?,
            strangeness: row.strangeness.map(|why| at.code("strangeness", why, Strangeness::from_code)).transpose()?,
            hold_seconds: row.hold_seconds.map(|seconds| at.number("hold_seconds", seconds)).transpose()?,
            given: given_of(&row, at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn owner_of(row: &Model, at: RowLocation) -> StoreResult<Option<OfferOwner>> {
    let (Some(kind), Some(owner)) = (row.owner_kind, row.owner_id) else { return Ok(None) };
    let owner = match kind {
        1 => Some(OfferOwner::Purchase(id(owner))),
        2 => Some(OfferOwner::Item(id(owner))),
        _ => None,
    };
    at.code("owner_kind", kind, |_| owner).map(Some)
}

fn request_of(row: &Model, at: RowLocation) -> StoreResult<Option<OfferRequest>> {
    let Some(step) = row.request_step else { return Ok(None) };
    let requested_at = at.time("requested_at", at.present("requested_at", row.requested_at)?)?;
    let begun_at = at.time_some("begun_at", row.begun_at)?;
    let (step, accepts_hold) = (at.code("request_step", step, OfferStep::from_code)?, row.request_accepts_hold != 0);
    Ok(Some(OfferRequest { step, requested_at, begun_at, accepts_hold }))
}

fn given_of(row: &Model, at: RowLocation) -> StoreResult<Option<Given>> {
    let Some(given_at) = at.time_some("given_at", row.given_at)? else { return Ok(None) };
    let value = at.read_some("given_cents", row.given_cents, Cents::new)?;
    Ok(Some(Given { value, at: given_at, is_allowed: row.given_allowed != 0 }))
}

fn item_of(asset: &OfferedAsset) -> Item {
    Item(asset.app_id.get(), asset.asset_id.to_string(), asset.market_hash_name.to_string())
}

fn asset_of(at: RowLocation, Item(game, asset_id, name): &Item) -> StoreResult<OfferedAsset> {
    Ok(OfferedAsset {
        app_id: at.read("items", AppId::new(*game))?,
        asset_id: at.read("items", AssetId::new(asset_id))?,
        market_hash_name: at.read("items", Text::new(name))?,
    })
}

fn trade_to_json(trade: &OfferTrade) -> String {
    let moved = |traded: &TradedAsset| Moved {
        item: item_of(&traded.asset),
        given: traded.is_given,
        to: traded.moved_to.as_ref().map(ToString::to_string),
        context: traded.context_id.map(ContextId::get),
        back: traded.returned_as.as_ref().map(ToString::to_string),
    };
    let trade = Trade {
        status: trade.status.map(TradeStatus::number),
        assets: trade.assets.iter().map(moved).collect(),
        held_until: trade.held_until.map(Timestamp::as_micros),
        protected_until: trade.protected_until.map(Timestamp::as_micros),
        rollback: trade.rollback_trade_id.as_ref().map(ToString::to_string),
    };
    serde_json::to_string(&trade).unwrap_or_default()
}

fn trade_of(row: &Model, at: RowLocation) -> StoreResult<Option<OfferTrade>> {
    let (Some(trade_id), Some(json)) = (&row.trade_id, &row.trade) else { return Ok(None) };
    let trade: Trade = at.read(TRADE, serde_json::from_str(json))?;
    let traded = |moved: Moved| {
        Ok(TradedAsset {
            asset: asset_of(at, &moved.item)?,
            is_given: moved.given,
            moved_to: at.read_some(TRADE, moved.to.as_deref(), AssetId::new)?,
            context_id: at.read_some(TRADE, moved.context, ContextId::new)?,
            returned_as: at.read_some(TRADE, moved.back.as_deref(), AssetId::new)?,
        })
    };
    Ok(Some(OfferTrade {
        id: at.read("trade_id", ExternalId::new(trade_id))?,
        status: trade.status.map(TradeStatus::from_number),
        assets: trade.assets.into_iter().map(traded).collect::<StoreResult<_>>()?,
        held_until: at.time_some(TRADE, trade.held_until)?,
        protected_until: at.time_some(TRADE, trade.protected_until)?,
        rollback_trade_id: at.read_some(TRADE, trade.rollback.as_deref(), ExternalId::new)?,
    }))
}

const TRADE: &str = "trade";
