//! `totp_enrollments`: enrolments of authenticator apps that were begun, one a user.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::totp::TotpEnrollment;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "totp_enrollments")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    pub id: Uuid,
    pub sealed_secret: Vec<u8>,
    pub tries_left: i16,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for TotpEnrollment {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            id: uuid(self.id),
            sealed_secret: self.sealed_secret.clone(),
            tries_left: i16::from(self.tries_left),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "totp_enrollments", home: row.user_id, key: row.id };
        let enrollment = Self {
            id: id(row.id),
            user_id: id(row.user_id),
            sealed_secret: row.sealed_secret,
            tries_left: at.number("tries_left", row.tries_left)?,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(enrollment, row.version))
    }
}
