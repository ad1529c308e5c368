//! `leases`: which node does which part of a workspace's work.

use sea_orm::entity::prelude::*;
use tradepost_domain::text::Name;
use tradepost_domain::trading::lease::{Lease, Work};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "leases")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub work_kind: i16,
    pub work_name: String,
    pub holder: Option<String>,
    pub renewed_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Lease {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (work_kind, work_name) = self.work.parts();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            work_kind,
            work_name: work_name.to_owned(),
            holder: self.holder.as_ref().map(ToString::to_string),
            renewed_at: self.renewed_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "leases", home: row.workspace_id, key: row.id };
        let work = Work::of_parts(row.work_kind, &row.work_name);
        let lease = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            work: at.read("work_kind", work.ok_or("no such work"))?,
            holder: row.holder.as_deref().map(|holder| at.read("holder", Name::new(holder))).transpose()?,
            renewed_at: at.time("renewed_at", row.renewed_at)?,
        };
        Ok(Seen::loaded(lease, row.version))
    }
}
