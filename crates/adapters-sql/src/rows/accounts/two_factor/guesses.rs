//! `guesses`: wrong guesses at an account, one row a user who has any.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::guesses::Guesses;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "guesses")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    pub wrong_passwords: i32,
    pub wrong_codes: i32,
    pub codes_since: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Guesses {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            wrong_passwords: i32::try_from(self.wrong_passwords).unwrap_or(i32::MAX),
            wrong_codes: i32::try_from(self.wrong_codes).unwrap_or(i32::MAX),
            codes_since: self.codes_since.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "guesses", home: row.user_id, key: row.user_id };
        let count = |column, stored| u32::try_from(stored).map_err(|error| at.corrupt(column, &error));
        let guesses = Self {
            user_id: id(row.user_id),
            wrong_passwords: count("wrong_passwords", row.wrong_passwords)?,
            wrong_codes: count("wrong_codes", row.wrong_codes)?,
            codes_since: at.time("codes_since", row.codes_since)?,
        };
        Ok(Seen::loaded(guesses, row.version))
    }
}
