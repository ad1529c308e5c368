//! `api_keys`: credentials of programs, without their secrets.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::api_key::{ApiKey, PepperId, TokenDigest};
use tradepost_domain::network::Networks;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub owner_id: Uuid,
    pub membership_id: Uuid,
    pub name: String,
    pub prefix: String,
    pub digest: Vec<u8>,
    pub pepper: Option<i32>,
    pub policies: i16,
    pub allowed_cidrs: Option<String>,
    pub expires_at: Option<i64>,
    pub remind_at: Option<i64>,
    pub revoked_at: Option<i64>,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for ApiKey {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            owner_id: uuid(self.owner_id),
            membership_id: uuid(self.membership_id),
            name: self.name.to_string(),
            prefix: self.prefix.clone(),
            digest: self.digest.0.to_vec(),
            pepper: self.pepper.map(|pepper| pepper.0),
            policies: i16::from(self.policies.bits()),
            allowed_cidrs: Some(self.networks.to_string()).filter(|networks| !networks.is_empty()),
            expires_at: self.expires_at.map(Timestamp::as_micros),
            remind_at: self.remind_at.map(Timestamp::as_micros),
            revoked_at: self.revoked_at.map(Timestamp::as_micros),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "api_keys", home: row.workspace_id, key: row.id };
        let key = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            owner_id: id(row.owner_id),
            membership_id: id(row.membership_id),
            name: at.read("name", Name::new(&row.name))?,
            prefix: row.prefix,
            digest: TokenDigest(at.bytes("digest", &row.digest)?),
            pepper: row.pepper.map(PepperId),
            policies: at.policies("policies", row.policies)?,
            networks: at
                .read_some("allowed_cidrs", row.allowed_cidrs, |text| Networks::parse(text.split(' ')))?
                .unwrap_or_default(),
            expires_at: at.time_some("expires_at", row.expires_at)?,
            remind_at: at.time_some("remind_at", row.remind_at)?,
            revoked_at: at.time_some("revoked_at", row.revoked_at)?,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(key, row.version))
    }
}
