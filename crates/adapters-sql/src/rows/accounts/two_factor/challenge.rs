//! `challenges`: step-up questions that were asked and not answered yet.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::step_up::{Challenge, Method};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "challenges")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub principal: Uuid,
    pub principal_kind: i16,
    /// The sum of the codes of the methods that answer it.
    pub method: i16,
    pub code_digest: Option<Vec<u8>>,
    pub tries_left: i16,
    pub created_at: i64,
    pub passkey_state: Option<String>,
    pub mails_left: i16,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Challenge {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            id: uuid(self.id),
            principal: Uuid::from_bytes(self.principal.to_bytes()),
            principal_kind: self.principal.kind_code(),
            method: Method::sum(&self.methods),
            code_digest: self.code_digest.map(|digest| digest.to_vec()),
            tries_left: i16::from(self.tries_left),
            created_at: self.created_at.as_micros(),
            passkey_state: self.passkey_state.clone(),
            mails_left: i16::from(self.mails_left),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "challenges", home: row.user_id, key: row.id };
        let challenge = Self {
            id: id(row.id),
            user_id: id(row.user_id),
            principal: at.principal(row.principal_kind, row.principal)?,
            methods: at.code("method", row.method, Method::from_sum)?,
            code_digest: row.code_digest.map(|digest| at.bytes("code_digest", &digest)).transpose()?,
            passkey_state: row.passkey_state,
            tries_left: at.number("tries_left", row.tries_left)?,
            mails_left: at.number("mails_left", row.mails_left)?,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(challenge, row.version))
    }
}
