//! `renewals`: when the tokens of trading accounts are replaced, and what came of it.

use sea_orm::entity::prelude::*;
use tradepost_domain::trading::renewal::{Renewal, RenewalKind, RenewalStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "renewals")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub kind: i16,
    pub status: i16,
    pub due_at: i64,
    pub expires_at: i64,
    pub attempts: i64,
    pub requested: i16,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Renewal {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            kind: self.kind.code(),
            status: self.status.code(),
            due_at: self.due_at.as_micros(),
            expires_at: self.expires_at.as_micros(),
            attempts: i64::from(self.attempts),
            requested: i16::from(self.is_requested),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "renewals", home: row.workspace_id, key: row.id };
        let renewal = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            kind: at.code("kind", row.kind, RenewalKind::from_code)?,
            status: at.code("status", row.status, RenewalStatus::from_code)?,
            due_at: at.time("due_at", row.due_at)?,
            expires_at: at.time("expires_at", row.expires_at)?,
            attempts: at.number("attempts", row.attempts)?,
            is_requested: row.requested != 0,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(renewal, row.version))
    }
}
