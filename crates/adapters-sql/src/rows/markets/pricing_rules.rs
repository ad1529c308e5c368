//! `pricing_rules`: how workspaces value items.

use sea_orm::entity::prelude::*;
use tradepost_domain::markets::pricing_rules::PricingRules;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::contracts::contract_terms::{reference_from_json, reference_to_json};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "pricing_rules")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    pub reference: String,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for PricingRules {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            reference: reference_to_json(&self.reference),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "pricing_rules", home: row.workspace_id, key: row.workspace_id };
        let rules = Self {
            workspace_id: id(row.workspace_id),
            reference: reference_from_json(at, "reference", &row.reference)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(rules, row.version))
    }
}
