//! `chat_messages`: messages of conversations, without their texts.

use sea_orm::entity::prelude::*;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{Author, ChatMessage, MessageFailure, MessageParts, MessageStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::trading::conversation::place_of;
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "chat_messages")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub conversation_id: Uuid,
    pub from_us: i16,
    pub status: i16,
    pub sent_at: Option<i64>,
    pub ordinal: Option<i64>,
    pub author_kind: Option<i16>,
    pub author_id: Option<Uuid>,
    pub submitted_at: Option<i64>,
    pub failure: Option<i16>,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for ChatMessage {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let author = self.author.map(|author| match author {
            Author::User(id) => (1, uuid(id)),
            Author::Key(id) => (2, uuid(id)),
        });
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            conversation_id: uuid(self.conversation_id),
            from_us: i16::from(self.is_from_us),
            status: self.status.code(),
            sent_at: self.place.map(|place| place.sent_at.as_micros()),
            ordinal: self.place.map(|place| i64::from(place.ordinal)),
            author_kind: author.map(|(kind, _)| kind),
            author_id: author.map(|(_, id)| id),
            submitted_at: self.submitted_at.map(Timestamp::as_micros),
            failure: self.failure.map(MessageFailure::code),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "chat_messages", home: row.workspace_id, key: row.id };
        let failure = row.failure.map(|failure| at.code("failure", failure, MessageFailure::from_code)).transpose()?;
        let parts = MessageParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            conversation_id: id(row.conversation_id),
            is_from_us: row.from_us != 0,
            status: at.code("status", row.status, MessageStatus::from_code)?,
            place: place_of(at, row.sent_at, row.ordinal)?,
            author: author_of(&row, at)?,
            submitted_at: at.time_some("submitted_at", row.submitted_at)?,
            failure,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn author_of(row: &Model, at: RowLocation) -> StoreResult<Option<Author>> {
    let (Some(kind), Some(author)) = (row.author_kind, row.author_id) else { return Ok(None) };
    let author = match kind {
        1 => Some(Author::User(id(author))),
        2 => Some(Author::Key(id(author))),
        _ => None,
    };
    at.code("author_kind", kind, |_| author).map(Some)
}
