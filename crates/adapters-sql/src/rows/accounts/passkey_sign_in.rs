//! `passkey_sign_ins`: questions for a passkey, whosever it is, found by their id alone.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::sign_in::PasskeySignIn;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkey_sign_ins")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub state: String,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for PasskeySignIn {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model { id: uuid(self.id), state: self.state.clone(), created_at: self.created_at.as_micros(), version: 1 }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "passkey_sign_ins", home: row.id, key: row.id };
        let asked = Self { id: id(row.id), state: row.state, created_at: at.time("created_at", row.created_at)? };
        Ok(Seen::loaded(asked, row.version))
    }
}
