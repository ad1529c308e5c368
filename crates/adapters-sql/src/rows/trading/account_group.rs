//! `account_groups`: named sets of trading accounts.

use std::collections::BTreeSet;

use sea_orm::entity::prelude::*;
use tradepost_domain::id::AccountId;
use tradepost_domain::text::{Description, Name};
use tradepost_domain::trading::trading_account::AccountGroup;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_groups")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    /// Hexadecimal numbers with commas between.
    pub account_ids: String,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AccountGroup {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let account_ids: Vec<String> = self.account_ids.iter().map(|id| uuid(*id).simple().to_string()).collect();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            name: self.name.to_string(),
            description: self.description.as_ref().map(ToString::to_string),
            account_ids: account_ids.join(","),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "account_groups", home: row.workspace_id, key: row.id };
        let listed = row.account_ids.split(',').filter(|id| !id.is_empty());
        let account_ids = listed.map(|text| Uuid::try_parse(text).map(id)).collect::<Result<BTreeSet<AccountId>, _>>();
        let group = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            name: at.read("name", Name::new(&row.name))?,
            description: at.read_some("description", row.description.as_deref(), Description::new)?,
            account_ids: at.read("account_ids", account_ids)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(group, row.version))
    }
}
