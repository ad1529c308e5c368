//! `purchases`: attempts to buy one listing each.

use sea_orm::entity::prelude::*;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::contracts::purchase::{
    FailureCode, Order, Progress, Purchase, PurchaseParts, PurchaseStatus, PurchaseTerms,
};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::text::{AccountName, ExternalId, MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RateColumns, RowLocation, Stored, asset_traits, contract_of_column, contract_to_column, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "purchases")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub contract_id: Uuid,
    pub intent_id: Option<Uuid>,
    pub app_id: i64,
    pub market_hash_name: String,
    pub traits: Option<String>,
    pub listing_price_cents: i64,
    pub max_buy_price_cents: i64,
    pub platform_fee_cents: i64,
    pub listing_id: String,
    pub listing_asset_id: String,
    pub marketplace: String,
    pub account_name: String,
    pub exchange_currency: Option<String>,
    pub exchange_rate_micros: Option<i64>,
    pub exchange_rate_at: Option<i64>,
    pub status: i16,
    pub order_id: Option<String>,
    pub executed_price_cents: Option<i64>,
    pub executed_fee_cents: Option<i64>,
    pub trade_offer_id: Option<String>,
    pub trade_id: Option<String>,
    pub held_until: Option<i64>,
    pub protected_until: Option<i64>,
    pub failure_code: Option<i16>,
    pub refunded_cents: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Purchase {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let PurchaseParts { terms, status, progress, created_at, updated_at } = &**self;
        let text = |external: &Option<ExternalId>| external.as_ref().map(ToString::to_string);
        Model {
            workspace_id: uuid(terms.workspace_id),
            id: uuid(terms.id),
            contract_id: contract_to_column(terms.contract_id),
            intent_id: terms.intent_id.map(uuid),
            app_id: i64::from(terms.app_id.get()),
            market_hash_name: terms.market_hash_name.to_string(),
            traits: asset_traits::to_json(&terms.traits),
            listing_price_cents: terms.listing_price.get(),
            max_buy_price_cents: terms.max_buy_price.get(),
            platform_fee_cents: terms.platform_fee.get(),
            listing_id: terms.listing_id.to_string(),
            listing_asset_id: terms.listing_asset_id.to_string(),
            marketplace: terms.marketplace.to_string(),
            account_name: terms.account_name.to_string(),
            exchange_currency: terms.exchange_rate.map(|rate| rate.from().to_string()),
            exchange_rate_micros: terms.exchange_rate.map(ExchangeRate::micros),
            exchange_rate_at: terms.exchange_rate.map(|rate| rate.as_of().as_micros()),
            status: status.code(),
            order_id: progress.order.as_ref().map(|order| order.id.to_string()),
            executed_price_cents: progress.order.as_ref().map(|order| order.executed_price.get()),
            executed_fee_cents: progress.order.as_ref().map(|order| order.fee.get()),
            trade_offer_id: text(&progress.trade_offer_id),
            trade_id: text(&progress.trade_id),
            held_until: progress.held_until.map(Timestamp::as_micros),
            protected_until: progress.protected_until.map(Timestamp::as_micros),
            failure_code: progress.failure_code.map(FailureCode::code),
            refunded_cents: progress.refunded.get(),
            created_at: created_at.as_micros(),
            updated_at: updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "purchases", home: row.workspace_id, key: row.id };
        let parts = PurchaseParts {
            terms: terms_of(&row, at)?,
            status: at.code("status", row.status, PurchaseStatus::from_code)?,
            progress: progress_of(&row, at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn terms_of(row: &Model, at: RowLocation) -> StoreResult<PurchaseTerms> {
    let rate = RateColumns {
        currency: row.exchange_currency.as_deref(),
        micros: row.exchange_rate_micros,
        as_of: row.exchange_rate_at,
    };
    Ok(PurchaseTerms {
        id: id(row.id),
        workspace_id: id(row.workspace_id),
        contract_id: contract_of_column(row.contract_id),
        intent_id: row.intent_id.map(id),
        app_id: at.read("app_id", AppId::new(at.number("app_id", row.app_id)?))?,
        market_hash_name: at.read("market_hash_name", MarketHashName::new(&row.market_hash_name))?,
        traits: Box::new(asset_traits::from_json(at, row.traits.as_deref())?),
        listing_price: at.cents("listing_price_cents", row.listing_price_cents)?,
        max_buy_price: at.cents("max_buy_price_cents", row.max_buy_price_cents)?,
        platform_fee: at.cents("platform_fee_cents", row.platform_fee_cents)?,
        listing_id: at.read("listing_id", ExternalId::new(&row.listing_id))?,
        listing_asset_id: at.read("listing_asset_id", AssetId::new(&row.listing_asset_id))?,
        marketplace: at.read("marketplace", Marketplace::new(&row.marketplace))?,
        account_name: at.read("account_name", AccountName::new(&row.account_name))?,
        exchange_rate: at.exchange_rate("exchange_currency", rate)?,
    })
}

fn progress_of(row: &Model, at: RowLocation) -> StoreResult<Progress> {
    let text = |column, value: &Option<String>| at.read_some(column, value.as_deref(), ExternalId::new);
    let order = match (text("order_id", &row.order_id)?, row.executed_price_cents, row.executed_fee_cents) {
        (Some(id), Some(price), Some(fee)) => Some(Order {
            id,
            executed_price: at.cents("executed_price_cents", price)?,
            fee: at.cents("executed_fee_cents", fee)?,
        }),
        (None, None, None) => None,
        _ => return Err(at.corrupt("order_id", &"without its price and fee")),
    };
    let failure_code = |code| at.code("failure_code", code, FailureCode::from_code);
    Ok(Progress {
        order,
        trade_offer_id: text("trade_offer_id", &row.trade_offer_id)?,
        trade_id: text("trade_id", &row.trade_id)?,
        held_until: at.time_some("held_until", row.held_until)?,
        protected_until: at.time_some("protected_until", row.protected_until)?,
        failure_code: row.failure_code.map(failure_code).transpose()?,
        refunded: at.cents("refunded_cents", row.refunded_cents)?,
    })
}
