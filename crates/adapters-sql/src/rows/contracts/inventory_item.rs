//! `inventory_items`: owned assets, each with the head of its asset-id chain.

use sea_orm::entity::prelude::*;
use tradepost_domain::asset::{AppId, AssetId, ContextId, Wear};
use tradepost_domain::contracts::chain::{ChainHead, Source};
use tradepost_domain::contracts::inventory_item::{
    InventoryItem, ItemParts, ItemStatus, Lock, LockKind, Proceeds, Traits,
};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, ExternalId, MarketHashName, Name};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RateColumns, RowLocation, Stored, asset_traits, contract_of_column, contract_to_column, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "inventory_items")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub purchase_id: Uuid,
    pub contract_id: Uuid,
    pub market_hash_name: String,
    pub status: i16,
    pub missing_from: Option<i16>,
    pub buy_price_cents: i64,
    pub account_name: String,
    pub app_id: i64,
    pub context_id: i64,
    pub lock_kind: Option<i16>,
    pub locked_until: Option<i64>,
    pub wear: Option<String>,
    pub paint_seed: Option<i64>,
    pub phase: Option<String>,
    pub traits: Option<String>,
    pub sale_marketplace: Option<String>,
    pub selling_contract_id: Option<Uuid>,
    pub sale_listing_id: Option<String>,
    pub list_price_cents: Option<i64>,
    pub sale_currency: Option<String>,
    pub sale_rate_micros: Option<i64>,
    pub sale_rate_at: Option<i64>,
    pub sell_price_cents: Option<i64>,
    pub sale_fee_cents: Option<i64>,
    pub sold_at: Option<i64>,
    pub last_step: i64,
    pub current_asset_id: String,
    pub last_source: i16,
    pub first_source: i16,
    pub chained_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for InventoryItem {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let item: &ItemParts = self;
        Model {
            workspace_id: uuid(item.workspace_id),
            id: uuid(item.id),
            purchase_id: uuid(item.purchase_id),
            contract_id: contract_to_column(item.contract_id),
            market_hash_name: item.market_hash_name.to_string(),
            status: item.status.code(),
            missing_from: item.missing_from.map(ItemStatus::code),
            buy_price_cents: item.buy_price.get(),
            account_name: item.account_name.to_string(),
            app_id: i64::from(item.app_id.get()),
            // A context never exceeds i64::MAX by its own rule.
            context_id: i64::try_from(item.context_id.get()).unwrap_or(i64::MAX),
            lock_kind: item.lock.map(|lock| lock.kind.code()),
            locked_until: item.lock.map(|lock| lock.until.as_micros()),
            wear: item.traits.wear.as_ref().map(ToString::to_string),
            paint_seed: item.traits.paint_seed.map(i64::from),
            phase: item.traits.phase.as_ref().map(ToString::to_string),
            traits: asset_traits::to_json(&Traits { wear: None, paint_seed: None, phase: None, ..item.traits.clone() }),
            sale_marketplace: item.sale_place.as_ref().map(|place| place.marketplace.to_string()),
            selling_contract_id: item.sale_place.as_ref().and_then(|place| place.contract_id).map(uuid),
            sale_listing_id: item.sale_listing_id.as_ref().map(ToString::to_string),
            list_price_cents: item.list_price.map(Cents::get),
            sale_currency: item.sale_rate.map(|rate| rate.from().to_string()),
            sale_rate_micros: item.sale_rate.map(ExchangeRate::micros),
            sale_rate_at: item.sale_rate.map(|rate| rate.as_of().as_micros()),
            sell_price_cents: item.proceeds.map(|proceeds| proceeds.sell_price().get()),
            sale_fee_cents: item.proceeds.map(|proceeds| proceeds.sale_fee().get()),
            sold_at: item.sold_at.map(Timestamp::as_micros),
            last_step: i64::from(item.head.step),
            current_asset_id: item.head.asset_id.to_string(),
            last_source: item.head.source.code(),
            first_source: item.head.origin.code(),
            chained_at: item.head.at.as_micros(),
            created_at: item.created_at.as_micros(),
            updated_at: item.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "inventory_items", home: row.workspace_id, key: row.id };
        let status = |column, code| at.code(column, code, ItemStatus::from_code);
        let parts = ItemParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            purchase_id: id(row.purchase_id),
            contract_id: contract_of_column(row.contract_id),
            market_hash_name: at.read("market_hash_name", MarketHashName::new(&row.market_hash_name))?,
            status: status("status", row.status)?,
            missing_from: row.missing_from.map(|code| status("missing_from", code)).transpose()?,
            buy_price: at.cents("buy_price_cents", row.buy_price_cents)?,
            account_name: at.read("account_name", AccountName::new(&row.account_name))?,
            app_id: at.read("app_id", AppId::new(at.number("app_id", row.app_id)?))?,
            context_id: at.read("context_id", ContextId::new(at.number("context_id", row.context_id)?))?,
            lock: lock_of(&row, at)?,
            traits: traits_of(&row, at)?,
            sale_place: at.sale_place(row.sale_marketplace.as_deref(), row.selling_contract_id)?,
            sale_listing_id: at.read_some("sale_listing_id", row.sale_listing_id.as_deref(), ExternalId::new)?,
            list_price: row.list_price_cents.map(|cents| at.cents("list_price_cents", cents)).transpose()?,
            sale_rate: at.exchange_rate(
                "sale_currency",
                RateColumns {
                    currency: row.sale_currency.as_deref(),
                    micros: row.sale_rate_micros,
                    as_of: row.sale_rate_at,
                },
            )?,
            proceeds: proceeds_of(&row, at)?,
            sold_at: at.time_some("sold_at", row.sold_at)?,
            head: ChainHead {
                step: at.number("last_step", row.last_step)?,
                asset_id: at.read("current_asset_id", AssetId::new(&row.current_asset_id))?,
                source: at.code("last_source", row.last_source, Source::from_code)?,
                origin: at.code("first_source", row.first_source, Source::from_code)?,
                at: at.time("chained_at", row.chained_at)?,
            },
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn lock_of(row: &Model, at: RowLocation) -> StoreResult<Option<Lock>> {
    match (row.lock_kind, row.locked_until) {
        (Some(kind), Some(until)) => Ok(Some(Lock {
            kind: at.code("lock_kind", kind, LockKind::from_code)?,
            until: at.time("locked_until", until)?,
        })),
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => Err(at.corrupt("lock_kind", &"without its end")),
    }
}

fn traits_of(row: &Model, at: RowLocation) -> StoreResult<Traits> {
    Ok(Traits {
        wear: at.read_some("wear", row.wear.as_deref(), Wear::new)?,
        paint_seed: row.paint_seed.map(|seed| at.number("paint_seed", seed)).transpose()?,
        phase: at.read_some("phase", row.phase.as_deref(), Name::new)?,
        ..asset_traits::from_json(at, row.traits.as_deref())?
    })
}

fn proceeds_of(row: &Model, at: RowLocation) -> StoreResult<Option<Proceeds>> {
    match (row.sell_price_cents, row.sale_fee_cents) {
        (Some(price), Some(fee)) => {
            let (price, fee) = (at.cents("sell_price_cents", price)?, at.cents("sale_fee_cents", fee)?);
            at.read("sale_fee_cents", Proceeds::new(price, fee)).map(Some)
        }
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => Err(at.corrupt("sell_price_cents", &"without its fee")),
    }
}
