//! `passkeys`: registered WebAuthn credentials.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkeys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub credential_id: Vec<u8>,
    pub credential: String,
    pub backed_up: bool,
    pub created_at: i64,
    pub aaguid: Option<Vec<u8>>,
    pub last_used_at: Option<i64>,
    pub disabled_at: Option<i64>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Passkey {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            id: uuid(self.id),
            name: self.name.to_string(),
            credential_id: self.credential_id.clone(),
            credential: self.credential.clone(),
            backed_up: self.backed_up,
            created_at: self.created_at.as_micros(),
            aaguid: self.authenticator.map(|aaguid| aaguid.to_bytes().to_vec()),
            last_used_at: self.last_used_at.map(Timestamp::as_micros),
            disabled_at: self.disabled_at.map(Timestamp::as_micros),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "passkeys", home: row.user_id, key: row.id };
        let passkey = Self {
            id: id(row.id),
            user_id: id(row.user_id),
            name: at.read("name", Name::new(&row.name))?,
            credential_id: row.credential_id,
            credential: row.credential,
            backed_up: row.backed_up,
            authenticator: row.aaguid.map(|bytes| at.bytes("aaguid", &bytes)).transpose()?.and_then(Aaguid::reported),
            created_at: at.time("created_at", row.created_at)?,
            last_used_at: at.time_some("last_used_at", row.last_used_at)?,
            disabled_at: at.time_some("disabled_at", row.disabled_at)?,
        };
        Ok(Seen::loaded(passkey, row.version))
    }
}
