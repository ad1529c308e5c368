//! `grants`: second factors that were proved, one a key or session.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::step_up::{Grant, Method};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "grants")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub principal: Uuid,
    pub principal_kind: i16,
    pub method: i16,
    pub granted_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Grant {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            principal: Uuid::from_bytes(self.principal.to_bytes()),
            principal_kind: self.principal.kind_code(),
            method: self.method.code(),
            granted_at: self.granted_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "grants", home: row.user_id, key: row.principal };
        let grant = Self {
            user_id: id(row.user_id),
            principal: at.principal(row.principal_kind, row.principal)?,
            method: at.code("method", row.method, Method::from_code)?,
            granted_at: at.time("granted_at", row.granted_at)?,
        };
        Ok(Seen::loaded(grant, row.version))
    }
}
