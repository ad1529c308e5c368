//! `audit_heads`: where the chain of each log ends.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::audit::AuditHead;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::accounts::audit_link::digest;
use crate::rows::{Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_heads")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub log_id: Uuid,
    pub sequence: i64,
    pub hash: Vec<u8>,
    pub former_until: i64,
    pub mac: Vec<u8>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AuditHead {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            log_id: uuid(self.log_id),
            sequence: self.sequence,
            hash: self.hash.to_vec(),
            former_until: self.former_until,
            mac: self.mac.to_vec(),
            version: 1,
        }
    }

    /// Reads every head, even one that was tampered with, because the check of the log decides about it.
    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let head = Self {
            log_id: id(row.log_id),
            sequence: row.sequence,
            hash: digest(&row.hash),
            former_until: row.former_until,
            mac: digest(&row.mac),
        };
        Ok(Seen::loaded(head, row.version))
    }
}
