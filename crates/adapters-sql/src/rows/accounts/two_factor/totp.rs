//! `totps`: enrolled authenticator apps, one a user.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::totp::Totp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "totps")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    pub sealed_secret: Vec<u8>,
    pub last_step: i64,
    pub enabled_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Totp {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            sealed_secret: self.sealed_secret.clone(),
            last_step: i64::try_from(self.last_step).unwrap_or(i64::MAX),
            enabled_at: self.enabled_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "totps", home: row.user_id, key: row.user_id };
        let totp = Self {
            user_id: id(row.user_id),
            sealed_secret: row.sealed_secret,
            last_step: at.number("last_step", row.last_step)?,
            enabled_at: at.time("enabled_at", row.enabled_at)?,
        };
        Ok(Seen::loaded(totp, row.version))
    }
}
