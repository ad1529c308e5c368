//! `contract_versions`: the terms of each contract from one change to the next, only ever added to.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::contract::{ApprovalMode, ContractDraft, ContractType, ContractVersion};
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::contracts::contract_terms::{
    marketplaces_from_json, marketplaces_to_json, reference_from_json, reference_to_json, terms_from_json,
    terms_to_json,
};
use crate::rows::transition::{actor_of, actor_to_columns};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "contract_versions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub contract_id: Uuid,
    pub record_version: i64,
    pub name: String,
    pub contract_type: i16,
    pub terms: String,
    pub filter_set_id: Option<Uuid>,
    pub pool_id: Option<Uuid>,
    pub approval_mode: i16,
    pub marketplaces: String,
    pub price_reference: Option<String>,
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    pub actor_kind: i16,
    pub actor_user_id: Option<Uuid>,
    pub actor_key_id: Option<Uuid>,
    pub made_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for ContractVersion {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let contract = &self.terms;
        let (actor_kind, actor_user_id, actor_key_id) = actor_to_columns(self.made_by);
        Model {
            workspace_id: uuid(contract.workspace_id),
            id: uuid(self.id),
            contract_id: uuid(contract.id),
            record_version: self.record_version,
            name: contract.name.to_string(),
            contract_type: contract.terms.contract_type().code(),
            terms: terms_to_json(&contract.terms),
            filter_set_id: contract.filter_set_id.map(uuid),
            pool_id: contract.pool_id.map(uuid),
            approval_mode: contract.approval_mode.code(),
            marketplaces: marketplaces_to_json(&contract.marketplaces),
            price_reference: contract.price_reference.as_ref().map(reference_to_json),
            starts_at: contract.starts_at.map(Timestamp::as_micros),
            ends_at: contract.ends_at.map(Timestamp::as_micros),
            actor_kind,
            actor_user_id,
            actor_key_id,
            made_at: self.made_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "contract_versions", home: row.workspace_id, key: row.id };
        let contract_type = at.code("contract_type", row.contract_type, ContractType::from_code)?;
        let price_reference = |text: &str| reference_from_json(at, "price_reference", text);
        let terms = ContractDraft {
            id: id(row.contract_id),
            workspace_id: id(row.workspace_id),
            name: at.read("name", Name::new(&row.name))?,
            terms: terms_from_json(at, contract_type, &row.terms)?,
            filter_set_id: row.filter_set_id.map(id),
            pool_id: row.pool_id.map(id),
            approval_mode: at.code("approval_mode", row.approval_mode, ApprovalMode::from_code)?,
            marketplaces: marketplaces_from_json(at, "marketplaces", &row.marketplaces)?,
            price_reference: row.price_reference.as_deref().map(price_reference).transpose()?,
            starts_at: at.time_some("starts_at", row.starts_at)?,
            ends_at: at.time_some("ends_at", row.ends_at)?,
        };
        let version = Self {
            id: id(row.id),
            terms,
            record_version: row.record_version,
            made_by: actor_of(at, row.actor_kind, row.actor_user_id, row.actor_key_id)?,
            made_at: at.time("made_at", row.made_at)?,
        };
        Ok(Seen::loaded(version, row.version))
    }
}
