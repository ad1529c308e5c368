//! `conversations`: conversations of trading accounts with their partners.

use std::num::NonZeroU64;

use sea_orm::entity::prelude::*;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{Conversation, ConversationParts, MessagePlace};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "conversations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub partner: String,
    pub last_message_at: Option<i64>,
    pub reading: i16,
    pub unread: i64,
    pub read_until: Option<i64>,
    pub unreported: i16,
    pub recorded_at: Option<i64>,
    pub recorded_ordinal: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Conversation {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            partner: self.partner.to_string(),
            last_message_at: self.last_message_at.map(Timestamp::as_micros),
            reading: self.reading().code(),
            unread: i64::from(self.unread),
            read_until: self.read_until.map(Timestamp::as_micros),
            unreported: i16::from(self.is_unreported),
            recorded_at: self.recorded_to.map(|place| place.sent_at.as_micros()),
            recorded_ordinal: self.recorded_to.map(|place| i64::from(place.ordinal)),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "conversations", home: row.workspace_id, key: row.id };
        let parts = ConversationParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            partner: at.read("partner", row.partner.parse::<NonZeroU64>().map(PlatformUserId::new))?,
            last_message_at: at.time_some("last_message_at", row.last_message_at)?,
            unread: at.number("unread", row.unread)?,
            read_until: at.time_some("read_until", row.read_until)?,
            is_unreported: row.unreported != 0,
            recorded_to: place_of(at, row.recorded_at, row.recorded_ordinal)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("unread", Self::restore(parts))?, row.version))
    }
}

/// The place in a column of times and one of ordinals, both filled or both empty.
pub(crate) fn place_of(
    at: RowLocation,
    sent_at: Option<i64>,
    ordinal: Option<i64>,
) -> StoreResult<Option<MessagePlace>> {
    let Some(sent_at) = at.time_some("sent_at", sent_at)? else { return Ok(None) };
    let ordinal = at.number("ordinal", at.present("ordinal", ordinal)?)?;
    Ok(Some(MessagePlace { sent_at, ordinal }))
}
