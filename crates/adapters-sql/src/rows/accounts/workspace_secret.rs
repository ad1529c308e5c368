//! `workspace_secrets`: the secrets of workspaces, sealed, each of one field of one record.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::workspace_key::{SecretPlace, WorkspaceSecret};
use tradepost_domain::text::Name;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "workspace_secrets")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub of_table: String,
    pub of_column: String,
    pub of_row: Uuid,
    pub key_number: i64,
    pub sealed: Vec<u8>,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for WorkspaceSecret {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            of_table: self.place.table.to_string(),
            of_column: self.place.column.to_string(),
            of_row: Uuid::from_bytes(self.place.row),
            key_number: i64::from(self.key_number),
            sealed: self.sealed.clone(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "workspace_secrets", home: row.workspace_id, key: row.id };
        let place = SecretPlace {
            table: at.read("of_table", Name::new(&row.of_table))?,
            column: at.read("of_column", Name::new(&row.of_column))?,
            row: row.of_row.into_bytes(),
        };
        let secret = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            place,
            key_number: at.number("key_number", row.key_number)?,
            sealed: row.sealed,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(secret, row.version))
    }
}
