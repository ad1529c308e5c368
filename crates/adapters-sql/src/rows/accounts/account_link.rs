//! `account_links`: links to identities of other platforms that were begun, found by their id alone.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::account_link::{AccountLink, Provider, Purpose};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_links")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub provider: String,
    pub user_id: Option<Uuid>,
    pub principal_kind: Option<i16>,
    pub principal: Option<Uuid>,
    pub sealed_state: Vec<u8>,
    pub created_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AccountLink {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (user_id, principal) = match self.purpose {
            Purpose::Link { user_id, principal } => (Some(user_id), principal),
            Purpose::SignIn => (None, None),
        };
        Model {
            id: uuid(self.id),
            provider: self.provider.as_str().to_owned(),
            user_id: user_id.map(uuid),
            principal_kind: principal.map(tradepost_domain::accounts::access::PrincipalId::kind_code),
            principal: principal.map(|principal| Uuid::from_bytes(principal.to_bytes())),
            sealed_state: self.sealed_state.clone(),
            created_at: self.created_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "account_links", home: row.id, key: row.id };
        let principal = row.principal_kind.zip(row.principal);
        let principal = principal.map(|(kind, id)| at.principal(kind, id)).transpose()?;
        let purpose = match row.user_id {
            Some(user_id) => Purpose::Link { user_id: id(user_id), principal },
            None => Purpose::SignIn,
        };
        let link = Self {
            id: id(row.id),
            provider: at.named("provider", &row.provider, Provider::from_name)?,
            purpose,
            sealed_state: row.sealed_state,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(link, row.version))
    }
}
