//! `spent_answers`: answers of other platforms that were accepted.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::account_link::ConsumedAssertion;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "spent_answers")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Uuid,
    pub spent_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for ConsumedAssertion {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model { digest: Uuid::from_bytes(self.digest), spent_at: self.spent_at.as_micros(), version: 1 }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "spent_answers", home: row.digest, key: row.digest };
        let answer = Self { digest: row.digest.into_bytes(), spent_at: at.time("spent_at", row.spent_at)? };
        Ok(Seen::loaded(answer, row.version))
    }
}
