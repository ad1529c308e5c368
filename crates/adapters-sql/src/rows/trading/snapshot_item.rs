//! `snapshot_items`: items with the snapshots that show them unchanged.

use sea_orm::entity::prelude::*;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::snapshot::{SnapshotItem, SnapshotNumber, Span};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use super::shown_item::{ItemColumns, PlaceColumns, context_number, item_of};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshot_items")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub app_id: i64,
    pub asset_id: String,
    pub context_id: i64,
    pub market_hash_name: String,
    pub wear: Option<String>,
    pub paint_seed: Option<i64>,
    pub phase: Option<String>,
    pub locked_until: Option<i64>,
    pub from_number: i64,
    pub until_number: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The end of a span that has none, so that one comparison finds what a snapshot shows.
const ENDLESS: i64 = i64::MAX;

fn until_of(at: RowLocation, until: i64) -> StoreResult<Option<SnapshotNumber>> {
    (until != ENDLESS).then(|| at.number("until_number", until)).transpose()
}

impl Stored for SnapshotItem {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (item, place) = (&self.item, &self.item.place);
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            app_id: i64::from(item.app_id.get()),
            asset_id: place.asset_id.to_string(),
            context_id: context_number(place.context_id),
            market_hash_name: item.market_hash_name.to_string(),
            wear: item.face.wear.as_ref().map(ToString::to_string),
            paint_seed: item.face.paint_seed.map(i64::from),
            phase: item.face.phase.as_ref().map(ToString::to_string),
            locked_until: place.locked_until.map(Timestamp::as_micros),
            from_number: i64::from(self.span.from),
            until_number: self.span.until.map_or(ENDLESS, i64::from),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "snapshot_items", home: row.workspace_id, key: row.id };
        let columns = ItemColumns {
            app_id: row.app_id,
            market_hash_name: &row.market_hash_name,
            wear: row.wear.as_deref(),
            paint_seed: row.paint_seed,
            phase: row.phase.as_deref(),
            place: PlaceColumns { asset_id: &row.asset_id, context_id: row.context_id, locked_until: row.locked_until },
        };
        let item = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            item: item_of(at, &columns)?,
            span: Span { from: at.number("from_number", row.from_number)?, until: until_of(at, row.until_number)? },
        };
        Ok(Seen::loaded(item, row.version))
    }
}
