//! `webhook_deliveries`: events that are delivered to endpoints, found by when they are due.

use sea_orm::entity::prelude::*;
use tradepost_domain::events::webhook_delivery::{DeliveryState, TryResult, WebhookDelivery};
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_deliveries")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub endpoint_id: Uuid,
    pub event_type: String,
    pub event_id: Uuid,
    pub state: i16,
    pub tries: i16,
    pub due_at: i64,
    pub http_status: Option<i32>,
    pub error: Option<String>,
    pub excerpt: Option<String>,
    pub duration_ms: Option<i64>,
    pub created_at: i64,
    pub done_at: Option<i64>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for WebhookDelivery {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let last = self.last.as_ref();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            endpoint_id: uuid(self.endpoint_id),
            event_type: self.event_type.to_string(),
            event_id: Uuid::from_bytes(self.event_id),
            state: self.state.code(),
            tries: i16::from(self.tries),
            due_at: self.due_at.as_micros(),
            http_status: last.and_then(|last| last.http_status).map(i32::from),
            error: last.and_then(|last| last.error.as_ref()).map(ToString::to_string),
            excerpt: last.and_then(|last| last.excerpt.as_ref()).map(ToString::to_string),
            duration_ms: last.map(|last| i64::from(last.duration_ms)),
            created_at: self.created_at.as_micros(),
            done_at: self.done_at.map(Timestamp::as_micros),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "webhook_deliveries", home: row.workspace_id, key: row.id };
        let last = row.duration_ms.map(|duration| -> StoreResult<TryResult> {
            Ok(TryResult {
                http_status: row.http_status.map(|status| at.number("http_status", status)).transpose()?,
                error: at.read_some("error", row.error.as_deref(), Text::new)?,
                excerpt: at.read_some("excerpt", row.excerpt.as_deref(), Text::new)?,
                duration_ms: at.number("duration_ms", duration)?,
            })
        });
        let delivery = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            endpoint_id: id(row.endpoint_id),
            event_type: at.read("event_type", row.event_type.parse())?,
            event_id: row.event_id.into_bytes(),
            state: at.code("state", row.state, DeliveryState::from_code)?,
            tries: at.number("tries", row.tries)?,
            due_at: at.time("due_at", row.due_at)?,
            last: last.transpose()?,
            created_at: at.time("created_at", row.created_at)?,
            done_at: at.time_some("done_at", row.done_at)?,
        };
        Ok(Seen::loaded(delivery, row.version))
    }
}
