//! `email_links`: links that were mailed, one a user and purpose.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, Purpose, PurposeKind};
use tradepost_domain::accounts::password::PasswordHash;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_links")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub purpose: i16,
    pub email: String,
    pub email_key: String,
    pub password_hash: Option<String>,
    pub digest: Vec<u8>,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for EmailLink {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let hash = match &self.purpose {
            Purpose::Add { hash, .. } => Some(hash.as_str().to_owned()),
            Purpose::Change { .. } | Purpose::Revert { .. } | Purpose::Reset { .. } => None,
        };
        Model {
            user_id: uuid(self.user_id),
            purpose: self.purpose.kind().code(),
            email: self.purpose.email().as_str().to_owned(),
            email_key: self.purpose.email().key().to_owned(),
            password_hash: hash,
            digest: self.digest.0.to_vec(),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "email_links", home: row.user_id, key: row.user_id };
        let email = at.read("email", EmailAddress::new(&row.email))?;
        let kind = |code| PurposeKind::ALL.into_iter().find(|kind| kind.code() == code);
        let purpose = match at.code("purpose", row.purpose, kind)? {
            PurposeKind::Add => {
                Purpose::Add { email, hash: PasswordHash::new(at.present("password_hash", row.password_hash)?) }
            }
            PurposeKind::Change => Purpose::Change { to: email },
            PurposeKind::Revert => Purpose::Revert { to: email },
            PurposeKind::Reset => Purpose::Reset { to: email },
        };
        let link = Self {
            user_id: id(row.user_id),
            purpose,
            digest: TokenDigest(at.bytes("digest", &row.digest)?),
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(link, row.version))
    }
}
