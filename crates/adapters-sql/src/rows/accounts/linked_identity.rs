//! `linked_identities`: sign-in identities of other platforms.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::text::Name;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "linked_identities")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub provider: String,
    pub subject: String,
    pub linked_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for LinkedIdentity {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            user_id: uuid(self.user_id),
            id: uuid(self.id),
            provider: self.provider.as_str().to_owned(),
            subject: self.subject.to_string(),
            linked_at: self.linked_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "linked_identities", home: row.user_id, key: row.id };
        let identity = Self {
            id: id(row.id),
            user_id: id(row.user_id),
            provider: at.named("provider", &row.provider, Provider::from_name)?,
            subject: at.read("subject", Name::new(&row.subject))?,
            linked_at: at.time("linked_at", row.linked_at)?,
        };
        Ok(Seen::loaded(identity, row.version))
    }
}
