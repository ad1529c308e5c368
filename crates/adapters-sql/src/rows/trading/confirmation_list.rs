//! `confirmation_lists`: when the confirmations of an account were last read.

use sea_orm::entity::prelude::*;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation_list::ConfirmationList;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "confirmation_lists")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub requested_at: Option<i64>,
    pub read_at: Option<i64>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for ConfirmationList {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.account_id),
            requested_at: self.requested_at.map(Timestamp::as_micros),
            read_at: self.read_at.map(Timestamp::as_micros),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "confirmation_lists", home: row.workspace_id, key: row.id };
        let list = Self {
            workspace_id: id(row.workspace_id),
            account_id: id(row.id),
            requested_at: at.time_some("requested_at", row.requested_at)?,
            read_at: at.time_some("read_at", row.read_at)?,
        };
        Ok(Seen::loaded(list, row.version))
    }
}
