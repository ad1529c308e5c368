//! `filter_set_versions`: every version of every filter set, only ever added to.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::filter_set::FilterSetVersion;
use tradepost_domain::text::Name;
use tradepost_ports::store::StoreResult;

use crate::rows::contracts::filter_rules::{rules_from_json, rules_to_json};
use crate::rows::{RowLocation, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "filter_set_versions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub filter_set_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub rules_version: i64,
    pub name: String,
    pub rules: String,
    pub created_at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The row of a version.
pub(crate) fn to_row(version: &FilterSetVersion) -> Model {
    Model {
        workspace_id: uuid(version.workspace_id),
        filter_set_id: uuid(version.filter_set_id),
        rules_version: i64::from(version.version),
        name: version.name.to_string(),
        rules: rules_to_json(&version.rules),
        created_at: version.created_at.as_micros(),
    }
}

/// The version in a row.
pub(crate) fn to_domain(row: &Model) -> StoreResult<FilterSetVersion> {
    let at = RowLocation { table: "filter_set_versions", home: row.workspace_id, key: row.filter_set_id };
    Ok(FilterSetVersion {
        workspace_id: id(row.workspace_id),
        filter_set_id: id(row.filter_set_id),
        version: at.number("rules_version", row.rules_version)?,
        name: at.read("name", Name::new(&row.name))?,
        rules: rules_from_json(at, &row.rules)?,
        created_at: at.time("created_at", row.created_at)?,
    })
}
