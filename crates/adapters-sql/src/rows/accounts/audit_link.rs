//! `audit_chain`: the places of events in the chains of their logs, only ever added to.

use sea_orm::Value;
use sea_orm::entity::prelude::*;
use serde_json::{Value as Json, json};
use tradepost_domain::accounts::audit::AuditLink;

use crate::rows::{id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_chain")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub log_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    pub event_id: Uuid,
    pub prev_hash: Vec<u8>,
    pub hash: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// `INSERT` of the links in an argument.
pub(crate) const INSERT_SQLITE: &str = "INSERT INTO audit_chain (log_id, sequence, event_id, prev_hash, hash) \
    SELECT unhex(value ->> 0), value ->> 1, unhex(value ->> 2), unhex(value ->> 3), unhex(value ->> 4) FROM json_each($1)";

/// The same, with the number of the argument; one text however many links there are.
pub(crate) fn insert_postgres(number: usize) -> String {
    format!(
        "INSERT INTO audit_chain (log_id, sequence, event_id, prev_hash, hash) \
         SELECT (value ->> 0)::uuid, (value ->> 1)::bigint, (value ->> 2)::uuid, decode(value ->> 3, 'hex'), \
         decode(value ->> 4, 'hex') FROM json_array_elements(${number}::json)"
    )
}

/// Links as one argument.
pub(crate) fn argument(links: &[AuditLink]) -> Value {
    let row = |link: &AuditLink| {
        let ids = [uuid(link.log_id), uuid(link.event_id)].map(|id| id.simple().to_string());
        let [prev_hash, hash] = [link.prev_hash, link.hash].map(hex);
        json!([ids[0], link.sequence, ids[1], prev_hash, hash])
    };
    Json::Array(links.iter().map(row).collect()).to_string().into()
}

/// The link in a row. A hash of another length than it has is none that fits anywhere.
pub(crate) fn to_domain(row: &Model) -> AuditLink {
    AuditLink {
        log_id: id(row.log_id),
        sequence: row.sequence,
        event_id: id(row.event_id),
        prev_hash: digest(&row.prev_hash),
        hash: digest(&row.hash),
    }
}

/// 32 stored bytes, or zeros for any other number of them.
pub(crate) fn digest(stored: &[u8]) -> [u8; 32] {
    stored.try_into().unwrap_or_default()
}

fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
