//! `sessions`: people who have signed in, without their tokens.

use std::net::IpAddr;

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::session::{Proofs, Session, UserAgent};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub prefix: String,
    pub digest: Vec<u8>,
    pub proofs: i16,
    pub proved_at: i64,
    pub created_at: i64,
    pub client: Option<String>,
    pub user_agent: Option<String>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Session {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            id: uuid(self.id),
            prefix: self.prefix.clone(),
            digest: self.digest.0.to_vec(),
            proofs: i16::from(self.proofs.bits()),
            proved_at: self.proved_at.as_micros(),
            created_at: self.created_at.as_micros(),
            client: self.client.map(|client| client.to_string()),
            user_agent: self.user_agent.as_ref().map(ToString::to_string),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "sessions", home: row.user_id, key: row.id };
        let session = Self {
            id: id(row.id),
            user_id: id(row.user_id),
            prefix: row.prefix,
            digest: TokenDigest(at.bytes("digest", &row.digest)?),
            proofs: at.code("proofs", row.proofs, |bits| Proofs::from_bits(u8::try_from(bits).ok()?))?,
            proved_at: at.time("proved_at", row.proved_at)?,
            created_at: at.time("created_at", row.created_at)?,
            client: at.read_some("client", row.client, |client| client.parse::<IpAddr>())?,
            user_agent: at.read_some("user_agent", row.user_agent, |agent| UserAgent::new(&agent))?,
        };
        Ok(Seen::loaded(session, row.version))
    }
}
