//! `pending_sign_ins`: sign-ins that wait for a second factor, found by their id alone.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::session::Proofs;
use tradepost_domain::accounts::sign_in::PendingSignIn;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "pending_sign_ins")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub user_id: Uuid,
    pub proofs: i16,
    pub tries_left: i16,
    pub created_at: i64,
    pub passkey_state: Option<String>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for PendingSignIn {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            id: uuid(self.id),
            user_id: uuid(self.user_id),
            proofs: i16::from(self.proofs.bits()),
            tries_left: i16::from(self.tries_left),
            created_at: self.created_at.as_micros(),
            passkey_state: self.passkey_state.clone(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "pending_sign_ins", home: row.id, key: row.id };
        let pending = Self {
            id: id(row.id),
            user_id: id(row.user_id),
            proofs: at.code("proofs", row.proofs, |bits| Proofs::from_bits(u8::try_from(bits).ok()?))?,
            passkey_state: row.passkey_state,
            tries_left: at.number("tries_left", row.tries_left)?,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(pending, row.version))
    }
}
