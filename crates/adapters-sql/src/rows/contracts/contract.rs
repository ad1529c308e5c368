//! `contracts`: standing orders to buy or sell.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::contract::{
    ApprovalMode, ClosingReason, Contract, ContractParts, ContractStatus, ContractType, Counters,
};
use tradepost_domain::text::{Description, Name};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::contracts::contract_terms::{
    marketplaces_from_json, marketplaces_to_json, reference_from_json, reference_to_json, terms_from_json,
    terms_to_json,
};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "contracts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub contract_type: i16,
    pub terms: String,
    pub status: i16,
    pub status_reason: Option<String>,
    pub closing_reason: Option<i16>,
    pub filter_set_id: Option<Uuid>,
    pub pool_id: Option<Uuid>,
    pub approval_mode: i16,
    pub marketplaces: String,
    pub price_reference: Option<String>,
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    pub filled_quantity: i64,
    pub open_quantity: i64,
    pub spent_cents: i64,
    pub reserved_cents: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Contract {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let contract: &ContractParts = self;
        Model {
            workspace_id: uuid(contract.workspace_id),
            id: uuid(contract.id),
            name: contract.name.to_string(),
            contract_type: self.contract_type().code(),
            terms: terms_to_json(&contract.terms),
            status: contract.status.code(),
            status_reason: contract.status_reason.as_ref().map(ToString::to_string),
            closing_reason: contract.closing_reason.map(ClosingReason::code),
            filter_set_id: contract.filter_set_id.map(uuid),
            pool_id: contract.pool_id.map(uuid),
            approval_mode: contract.approval_mode.code(),
            marketplaces: marketplaces_to_json(&contract.marketplaces),
            price_reference: contract.price_reference.as_ref().map(reference_to_json),
            starts_at: contract.starts_at.map(Timestamp::as_micros),
            ends_at: contract.ends_at.map(Timestamp::as_micros),
            filled_quantity: i64::from(contract.counters.filled_quantity),
            open_quantity: i64::from(contract.counters.open_quantity),
            spent_cents: contract.counters.spent.get(),
            reserved_cents: contract.counters.reserved.get(),
            created_at: contract.created_at.as_micros(),
            updated_at: contract.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "contracts", home: row.workspace_id, key: row.id };
        let contract_type = at.code("contract_type", row.contract_type, ContractType::from_code)?;
        let closing_reason = |code| at.code("closing_reason", code, ClosingReason::from_code);
        let price_reference = |text: &str| reference_from_json(at, "price_reference", text);
        let parts = ContractParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            name: at.read("name", Name::new(&row.name))?,
            terms: terms_from_json(at, contract_type, &row.terms)?,
            status: at.code("status", row.status, ContractStatus::from_code)?,
            status_reason: at.read_some("status_reason", row.status_reason.as_deref(), Description::new)?,
            closing_reason: row.closing_reason.map(closing_reason).transpose()?,
            filter_set_id: row.filter_set_id.map(id),
            pool_id: row.pool_id.map(id),
            approval_mode: at.code("approval_mode", row.approval_mode, ApprovalMode::from_code)?,
            marketplaces: marketplaces_from_json(at, "marketplaces", &row.marketplaces)?,
            price_reference: row.price_reference.as_deref().map(price_reference).transpose()?,
            starts_at: at.time_some("starts_at", row.starts_at)?,
            ends_at: at.time_some("ends_at", row.ends_at)?,
            counters: counters_of(&row, at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn counters_of(row: &Model, at: RowLocation) -> StoreResult<Counters> {
    Ok(Counters {
        filled_quantity: at.number("filled_quantity", row.filled_quantity)?,
        open_quantity: at.number("open_quantity", row.open_quantity)?,
        spent: at.cents("spent_cents", row.spent_cents)?,
        reserved: at.cents("reserved_cents", row.reserved_cents)?,
    })
}
