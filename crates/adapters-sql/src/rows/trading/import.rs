//! `imports`: imports of trading accounts, without what was read.

use sea_orm::entity::prelude::*;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Name;
use tradepost_domain::trading::import::{Import, ImportDefaults, ImportFormat, ImportKind, ImportStatus, RowTally};
use tradepost_domain::trading::trading_account::AccountLimits;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use super::trading_account::{roles_of_column, roles_to_column};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "imports")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub kind: i16,
    pub format: i16,
    pub status: i16,
    pub name: Option<String>,
    pub row_count: i64,
    pub accepted: i64,
    pub rejected: i64,
    pub group_id: Option<Uuid>,
    pub capabilities: i16,
    pub max_inventory: i64,
    pub max_open_purchases: Option<i64>,
    pub min_balance_cents: Option<i64>,
    pub created_by: Option<Uuid>,
    pub expires_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Import {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (tally, defaults) = (self.tally, &self.defaults);
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            kind: self.kind.code(),
            format: self.format.code(),
            status: self.status.code(),
            name: self.name.as_ref().map(ToString::to_string),
            row_count: tally.rows.into(),
            accepted: tally.accepted.into(),
            rejected: tally.rejected.into(),
            group_id: defaults.group_id.map(uuid),
            capabilities: roles_to_column(&defaults.capabilities),
            max_inventory: defaults.limits.max_inventory.into(),
            max_open_purchases: defaults.limits.max_open_purchases.map(i64::from),
            min_balance_cents: defaults.limits.min_balance.map(Cents::get),
            created_by: self.created_by.map(uuid),
            expires_at: self.expires_at.as_micros(),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "imports", home: row.workspace_id, key: row.id };
        let most_open = row.max_open_purchases.map(|most| at.number("max_open_purchases", most));
        let limits = AccountLimits {
            max_inventory: at.number("max_inventory", row.max_inventory)?,
            max_open_purchases: most_open.transpose()?,
            min_balance: at.read_some("min_balance_cents", row.min_balance_cents, Cents::new)?,
        };
        let import = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            kind: at.code("kind", row.kind, ImportKind::from_code)?,
            format: at.code("format", row.format, ImportFormat::from_code)?,
            status: at.code("status", row.status, ImportStatus::from_code)?,
            name: at.read_some("name", row.name.as_deref(), Name::new)?,
            tally: RowTally {
                rows: at.number("row_count", row.row_count)?,
                accepted: at.number("accepted", row.accepted)?,
                rejected: at.number("rejected", row.rejected)?,
            },
            defaults: ImportDefaults {
                group_id: row.group_id.map(id),
                limits,
                capabilities: roles_of_column(at, "capabilities", row.capabilities)?,
            },
            created_by: row.created_by.map(id),
            expires_at: at.time("expires_at", row.expires_at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(import, row.version))
    }
}
