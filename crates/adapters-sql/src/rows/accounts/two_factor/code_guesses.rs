//! `code_guesses`: wrong codes at an account, one row a key or session that tried any, and one for all of each.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "code_guesses")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub guesser: Uuid,
    pub guesser_kind: i16,
    pub wrong: i32,
    pub since: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for CodeGuesses {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            guesser: Uuid::from_bytes(self.by.to_bytes()),
            guesser_kind: self.by.kind_code(),
            wrong: i32::try_from(self.wrong).unwrap_or(i32::MAX),
            since: self.since.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "code_guesses", home: row.user_id, key: row.guesser };
        let by = |kind| Guesser::from_stored(kind, row.guesser.into_bytes());
        let guesses = Self {
            user_id: id(row.user_id),
            by: at.code("guesser_kind", row.guesser_kind, by)?,
            wrong: u32::try_from(row.wrong).map_err(|error| at.corrupt("wrong", &error))?,
            since: at.time("since", row.since)?,
        };
        Ok(Seen::loaded(guesses, row.version))
    }
}
