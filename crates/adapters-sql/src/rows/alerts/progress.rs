//! `alert_progress`: how far each channel has followed what happens, and how well sending goes.

use sea_orm::entity::prelude::*;
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::events::health::Health;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "alert_progress")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub after_transition_id: Option<Uuid>,
    pub halted_since: Option<i64>,
    pub window_began_at: i64,
    pub sent_in_window: i64,
    pub beaten_at: Option<i64>,
    pub consecutive_failures: i64,
    pub failing_since: Option<i64>,
    pub last_success_at: Option<i64>,
    pub last_failure_at: Option<i64>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AlertProgress {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.channel_id),
            after_transition_id: self.after.map(uuid),
            halted_since: self.halted_since.map(Timestamp::as_micros),
            window_began_at: self.window_began_at.as_micros(),
            sent_in_window: i64::from(self.sent_in_window),
            beaten_at: self.beaten_at.map(Timestamp::as_micros),
            consecutive_failures: i64::from(self.health.consecutive_failures),
            failing_since: self.health.failing_since.map(Timestamp::as_micros),
            last_success_at: self.health.last_success_at.map(Timestamp::as_micros),
            last_failure_at: self.health.last_failure_at.map(Timestamp::as_micros),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "alert_progress", home: row.workspace_id, key: row.id };
        let progress = Self {
            channel_id: id(row.id),
            workspace_id: id(row.workspace_id),
            after: row.after_transition_id.map(id),
            halted_since: at.time_some("halted_since", row.halted_since)?,
            window_began_at: at.time("window_began_at", row.window_began_at)?,
            sent_in_window: at.number("sent_in_window", row.sent_in_window)?,
            beaten_at: at.time_some("beaten_at", row.beaten_at)?,
            health: Health {
                consecutive_failures: at.number("consecutive_failures", row.consecutive_failures)?,
                failing_since: at.time_some("failing_since", row.failing_since)?,
                last_success_at: at.time_some("last_success_at", row.last_success_at)?,
                last_failure_at: at.time_some("last_failure_at", row.last_failure_at)?,
            },
        };
        Ok(Seen::loaded(progress, row.version))
    }
}
