//! `snapshots`: when and how completely inventories were read.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotContext, SnapshotStatus, SnapshotTrigger};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshots")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub status: i16,
    pub cause: i16,
    pub number: Option<i64>,
    pub contexts: String,
    pub compared: i16,
    pub change_count: i64,
    pub failure: Option<String>,
    pub taken_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Game, context, number of items and whether these are all.
#[derive(Serialize, Deserialize)]
struct Context(u32, u64, u32, bool);

impl Stored for Snapshot {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let context = |context: &SnapshotContext| {
            Context(context.app_id.get(), context.context_id.get(), context.shown, context.is_complete)
        };
        let contexts: Vec<Context> = self.contexts.iter().map(context).collect();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            status: self.status.code(),
            cause: self.trigger.code(),
            number: self.number.map(i64::from),
            // Numbers are always JSON.
            contexts: serde_json::to_string(&contexts).unwrap_or_default(),
            compared: i16::from(self.is_compared),
            change_count: i64::from(self.change_count),
            failure: self.failure.as_ref().map(ToString::to_string),
            taken_at: self.taken_at.map(Timestamp::as_micros),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "snapshots", home: row.workspace_id, key: row.id };
        let contexts: Vec<Context> = at.read("contexts", serde_json::from_str(&row.contexts))?;
        let context = |Context(app, context, shown, is_complete)| {
            Ok(SnapshotContext {
                app_id: at.read("contexts", AppId::new(app))?,
                context_id: at.read("contexts", ContextId::new(context))?,
                shown,
                is_complete,
            })
        };
        let snapshot = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            status: at.code("status", row.status, SnapshotStatus::from_code)?,
            trigger: at.code("cause", row.cause, SnapshotTrigger::from_code)?,
            number: row.number.map(|number| at.number("number", number)).transpose()?,
            contexts: contexts.into_iter().map(context).collect::<StoreResult<_>>()?,
            is_compared: row.compared != 0,
            change_count: at.number("change_count", row.change_count)?,
            failure: at.read_some("failure", row.failure.as_deref(), Text::new)?,
            taken_at: at.time_some("taken_at", row.taken_at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(snapshot, row.version))
    }
}
