//! `alert_channels`: where alerts are sent.

use sea_orm::entity::prelude::*;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelDisabledReason, ChannelKind, ChannelStatus};
use tradepost_domain::text::Text;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use super::{member, owner};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "alert_channels")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub owner_id: Uuid,
    pub kind: i16,
    pub name: String,
    pub target: Option<String>,
    pub secret_hint: Option<String>,
    pub status: i16,
    pub disabled_reason: Option<i16>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AlertChannel {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            owner_id: owner(self.user_id),
            kind: self.kind.code(),
            name: self.name.to_string(),
            target: self.target.as_ref().map(ToString::to_string),
            secret_hint: self.secret_hint.as_ref().map(ToString::to_string),
            status: self.status.code(),
            disabled_reason: self.disabled_reason.map(ChannelDisabledReason::code),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "alert_channels", home: row.workspace_id, key: row.id };
        let reason = row.disabled_reason.map(|code| at.code("disabled_reason", code, ChannelDisabledReason::from_code));
        let channel = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            user_id: member(row.owner_id),
            kind: at.code("kind", row.kind, ChannelKind::from_code)?,
            name: at.read("name", Text::new(&row.name))?,
            target: at.read_some("target", row.target.as_deref(), Text::new)?,
            secret_hint: at.read_some("secret_hint", row.secret_hint.as_deref(), Text::new)?,
            status: at.code("status", row.status, ChannelStatus::from_code)?,
            disabled_reason: reason.transpose()?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(channel, row.version))
    }
}
