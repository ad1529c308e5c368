//! `asset_id_links`: the links of asset-id chains, only ever added.

use sea_orm::entity::prelude::*;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::{AssetIdLink, Source};
use tradepost_domain::text::ExternalId;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "asset_id_links")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub inventory_item_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i64,
    pub id: Uuid,
    pub purchase_id: Uuid,
    pub asset_id: String,
    pub previous_asset_id: Option<String>,
    pub source: i16,
    pub source_id: String,
    pub created_at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The row of a link.
pub(crate) fn to_row(link: &AssetIdLink) -> Model {
    Model {
        workspace_id: uuid(link.workspace_id),
        inventory_item_id: uuid(link.inventory_item_id),
        step: i64::from(link.step),
        id: uuid(link.id),
        purchase_id: uuid(link.purchase_id),
        asset_id: link.asset_id.to_string(),
        previous_asset_id: link.previous.as_ref().map(ToString::to_string),
        source: link.source.code(),
        source_id: link.source_id.to_string(),
        created_at: link.created_at.as_micros(),
    }
}

/// The link in a row.
pub(crate) fn to_domain(row: &Model) -> StoreResult<AssetIdLink> {
    let at = RowLocation { table: "asset_id_links", home: row.workspace_id, key: row.id };
    Ok(AssetIdLink {
        id: id(row.id),
        workspace_id: id(row.workspace_id),
        inventory_item_id: id(row.inventory_item_id),
        purchase_id: id(row.purchase_id),
        step: at.number("step", row.step)?,
        asset_id: at.read("asset_id", AssetId::new(&row.asset_id))?,
        previous: at.read_some("previous_asset_id", row.previous_asset_id.as_deref(), AssetId::new)?,
        source: at.code("source", row.source, Source::from_code)?,
        source_id: at.read("source_id", ExternalId::new(&row.source_id))?,
        created_at: at.time("created_at", row.created_at)?,
    })
}
