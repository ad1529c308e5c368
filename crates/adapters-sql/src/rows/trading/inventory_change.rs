//! `inventory_changes`: what changed between complete snapshots.

use sea_orm::entity::prelude::*;
use tradepost_domain::text::{ExternalId, Text};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::inventory_change::{Between, ChangeStatus, InventoryChange};
use tradepost_domain::trading::snapshot::{ChangeKind, ItemPlace};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use super::shown_item::{ItemColumns, PlaceColumns, context_number, item_of, place_of};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "inventory_changes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub kind: i16,
    pub status: i16,
    pub app_id: i64,
    pub asset_id: String,
    pub context_id: i64,
    pub market_hash_name: String,
    pub wear: Option<String>,
    pub paint_seed: Option<i64>,
    pub phase: Option<String>,
    pub locked_until: Option<i64>,
    pub new_asset_id: Option<String>,
    pub new_context_id: Option<i64>,
    pub new_locked_until: Option<i64>,
    pub from_snapshot_id: Uuid,
    pub to_snapshot_id: Uuid,
    pub inventory_item_id: Option<Uuid>,
    pub trade_id: Option<String>,
    pub reason: Option<String>,
    pub reported: i16,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for InventoryChange {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (item, place, after) = (&self.item, &self.item.place, self.after.as_ref());
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            kind: self.kind.code(),
            status: self.status.code(),
            app_id: i64::from(item.app_id.get()),
            asset_id: place.asset_id.to_string(),
            context_id: context_number(place.context_id),
            market_hash_name: item.market_hash_name.to_string(),
            wear: item.face.wear.as_ref().map(ToString::to_string),
            paint_seed: item.face.paint_seed.map(i64::from),
            phase: item.face.phase.as_ref().map(ToString::to_string),
            locked_until: place.locked_until.map(Timestamp::as_micros),
            new_asset_id: after.map(|after| after.asset_id.to_string()),
            new_context_id: after.map(|after| context_number(after.context_id)),
            new_locked_until: after.and_then(|after| after.locked_until).map(Timestamp::as_micros),
            from_snapshot_id: uuid(self.between.from),
            to_snapshot_id: uuid(self.between.to),
            inventory_item_id: self.inventory_item_id.map(uuid),
            trade_id: self.trade_id.as_ref().map(ToString::to_string),
            reason: self.reason.as_ref().map(ToString::to_string),
            reported: i16::from(self.is_reported),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "inventory_changes", home: row.workspace_id, key: row.id };
        let change = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            kind: at.code("kind", row.kind, ChangeKind::from_code)?,
            status: at.code("status", row.status, ChangeStatus::from_code)?,
            item: item_of(at, &columns_of(&row))?,
            after: after_of(at, &row)?,
            between: Between { from: id(row.from_snapshot_id), to: id(row.to_snapshot_id) },
            inventory_item_id: row.inventory_item_id.map(id),
            trade_id: at.read_some("trade_id", row.trade_id.as_deref(), ExternalId::new)?,
            reason: at.read_some("reason", row.reason.as_deref(), Text::new)?,
            is_reported: row.reported != 0,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(change, row.version))
    }
}

fn columns_of(row: &Model) -> ItemColumns<'_> {
    ItemColumns {
        app_id: row.app_id,
        market_hash_name: &row.market_hash_name,
        wear: row.wear.as_deref(),
        paint_seed: row.paint_seed,
        phase: row.phase.as_deref(),
        place: PlaceColumns { asset_id: &row.asset_id, context_id: row.context_id, locked_until: row.locked_until },
    }
}

fn after_of(at: RowLocation, row: &Model) -> StoreResult<Option<ItemPlace>> {
    let (Some(asset_id), Some(context_id)) = (row.new_asset_id.as_deref(), row.new_context_id) else { return Ok(None) };
    place_of(at, &PlaceColumns { asset_id, context_id, locked_until: row.new_locked_until }).map(Some)
}
