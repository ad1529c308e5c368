//! `recovery_codes`: digests of unused recovery codes, one row a user.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::api_key::PepperId;
use tradepost_domain::accounts::totp::RecoveryCodes;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "recovery_codes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    pub digests: Vec<u8>,
    pub pepper: Option<i32>,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for RecoveryCodes {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            digests: self.digests.concat(),
            pepper: self.pepper.map(|pepper| pepper.0),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "recovery_codes", home: row.user_id, key: row.user_id };
        let (digests, rest) = row.digests.as_chunks::<32>();
        if !rest.is_empty() {
            return Err(at.corrupt("digests", &"not a whole number of digests"));
        }
        let codes = Self {
            user_id: id(row.user_id),
            digests: digests.to_vec(),
            pepper: row.pepper.map(PepperId),
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(codes, row.version))
    }
}
