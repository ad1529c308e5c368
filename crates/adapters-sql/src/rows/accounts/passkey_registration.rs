//! `passkey_registrations`: registrations that were begun, one a user.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::passkey::PasskeyRegistration;
use tradepost_domain::text::Name;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkey_registrations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    pub name: String,
    pub state: String,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for PasskeyRegistration {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            name: self.name.to_string(),
            state: self.state.clone(),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "passkey_registrations", home: row.user_id, key: row.user_id };
        let registration = Self {
            user_id: id(row.user_id),
            name: at.read("name", Name::new(&row.name))?,
            state: row.state,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(registration, row.version))
    }
}
