//! `workspace_keys`: the keys of workspaces, sealed; those of the installation itself under the workspace of zeros.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::workspace_key::{KeyState, KeyStatus, WorkspaceKey, WrappedKey};
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "workspace_keys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub number: i64,
    pub status: i16,
    pub wrapped_by: Option<String>,
    pub wrapped: Option<Vec<u8>>,
    pub created_at: i64,
    pub retired_at: Option<i64>,
    pub destroyed_at: Option<i64>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for WorkspaceKey {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let destroyed_at = match self.state {
            KeyState::Destroyed { destroyed_at, .. } => Some(destroyed_at.as_micros()),
            KeyState::Active { .. } | KeyState::Retired { .. } => None,
        };
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            number: i64::from(self.number),
            status: self.status().code(),
            wrapped_by: self.wrapped().map(|wrapped| wrapped.key_id.to_string()),
            wrapped: self.wrapped().map(|wrapped| wrapped.bytes.clone()),
            created_at: self.created_at.as_micros(),
            retired_at: self.retired_at().map(Timestamp::as_micros),
            destroyed_at,
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "workspace_keys", home: row.workspace_id, key: row.id };
        let wrapped = || -> StoreResult<WrappedKey> {
            let by = at.present("wrapped_by", row.wrapped_by.as_deref())?;
            let bytes = at.present("wrapped", row.wrapped.clone())?;
            Ok(WrappedKey { key_id: at.read("wrapped_by", Name::new(by))?, bytes })
        };
        let time = |column, value| at.time(column, at.present(column, value)?);
        let state = match at.code("status", row.status, KeyStatus::from_code)? {
            KeyStatus::Active => KeyState::Active { wrapped: wrapped()? },
            KeyStatus::Retired => {
                KeyState::Retired { wrapped: wrapped()?, retired_at: time("retired_at", row.retired_at)? }
            }
            KeyStatus::Destroyed => KeyState::Destroyed {
                retired_at: time("retired_at", row.retired_at)?,
                destroyed_at: time("destroyed_at", row.destroyed_at)?,
            },
        };
        let key = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            number: at.number("number", row.number)?,
            state,
            created_at: at.time("created_at", row.created_at)?,
        };
        Ok(Seen::loaded(key, row.version))
    }
}
