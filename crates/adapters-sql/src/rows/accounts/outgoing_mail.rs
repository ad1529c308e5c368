//! `outgoing_mails`: mails that wait to be handed over, found by when they are due.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outgoing_mails")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub recipient: String,
    pub sealed: Vec<u8>,
    pub tries: i16,
    pub due_at: i64,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for OutgoingMail {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            id: uuid(self.id),
            recipient: self.to.as_str().to_owned(),
            sealed: self.sealed.clone(),
            tries: i16::from(self.tries),
            due_at: self.due_at.as_micros(),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "outgoing_mails", home: row.id, key: row.id };
        let mail = Self {
            id: id(row.id),
            to: at.read("recipient", EmailAddress::new(&row.recipient))?,
            tries: at.number("tries", row.tries)?,
            due_at: at.time("due_at", row.due_at)?,
            created_at: at.time("created_at", row.created_at)?,
            sealed: row.sealed,
        };
        Ok(Seen::loaded(mail, row.version))
    }
}
