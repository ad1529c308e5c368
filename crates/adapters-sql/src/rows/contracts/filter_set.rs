//! `filter_sets`: filter sets as they are now.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::text::Name;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::contracts::filter_rules::{rules_from_json, rules_to_json};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "filter_sets")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub rules: String,
    pub rules_version: i64,
    pub contracts: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for FilterSet {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            name: self.name.to_string(),
            rules: rules_to_json(&self.rules),
            rules_version: i64::from(self.version),
            contracts: i64::from(self.contracts),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "filter_sets", home: row.workspace_id, key: row.id };
        let set = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            name: at.read("name", Name::new(&row.name))?,
            rules: rules_from_json(at, &row.rules)?,
            version: at.number("rules_version", row.rules_version)?,
            contracts: at.number("contracts", row.contracts)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(set, row.version))
    }
}
