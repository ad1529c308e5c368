//! `executions`: calls that were carried out under an idempotency key.

use sea_orm::entity::prelude::*;
use tradepost_domain::idempotency::Execution;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use super::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "executions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub request: Vec<u8>,
    pub sealed: Option<Vec<u8>>,
    pub kept_until: i64,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Execution {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            id: uuid(self.id),
            request: self.request.to_vec(),
            sealed: self.sealed.clone(),
            kept_until: self.kept_until.as_micros(),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "executions", home: row.id, key: row.id };
        let execution = Self {
            id: id(row.id),
            request: at.bytes("request", &row.request)?,
            kept_until: at.time("kept_until", row.kept_until)?,
            created_at: at.time("created_at", row.created_at)?,
            sealed: row.sealed,
        };
        Ok(Seen::loaded(execution, row.version))
    }
}
