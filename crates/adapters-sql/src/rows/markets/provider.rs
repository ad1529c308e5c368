//! `providers`: the marketplaces, price sources and game platforms of workspaces.

use std::collections::BTreeMap;

use sea_orm::entity::prelude::*;
use tradepost_domain::markets::provider::{Provider, ProviderKind, ProviderStatus};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{Description, Marketplace, Name};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "providers")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub kind: i16,
    pub driver: String,
    pub name: String,
    pub currency: String,
    pub settings: String,
    pub has_credentials: i16,
    pub status: i16,
    pub status_reason: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Provider {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            kind: self.kind.code(),
            driver: self.driver.to_string(),
            name: self.name.to_string(),
            currency: self.currency.to_string(),
            settings: settings_to_column(&self.settings),
            has_credentials: i16::from(self.has_credentials),
            status: self.status.code(),
            status_reason: self.status_reason.as_ref().map(ToString::to_string),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "providers", home: row.workspace_id, key: row.id };
        let provider = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            kind: at.code("kind", row.kind, ProviderKind::from_code)?,
            driver: at.read("driver", Name::new(&row.driver))?,
            name: at.read("name", Marketplace::new(&row.name))?,
            currency: at.read("currency", Currency::new(&row.currency))?,
            settings: settings_of_column(at, &row.settings)?,
            has_credentials: row.has_credentials != 0,
            status: at.code("status", row.status, ProviderStatus::from_code)?,
            status_reason: at.read_some("status_reason", row.status_reason.as_deref(), Description::new)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(provider, row.version))
    }
}

/// Settings as a JSON object of texts.
fn settings_to_column(settings: &BTreeMap<Name, Description>) -> String {
    let texts = settings.iter().map(|(name, value)| (name.to_string(), value.as_str().into()));
    serde_json::Value::Object(texts.collect()).to_string()
}

fn settings_of_column(at: RowLocation, text: &str) -> StoreResult<BTreeMap<Name, Description>> {
    let texts: BTreeMap<String, String> = at.read("settings", serde_json::from_str(text))?;
    let read = |name: &str, value: &str| {
        Ok((at.read("settings", Name::new(name))?, at.read("settings", Description::new(value))?))
    };
    texts.iter().map(|(name, value)| read(name, value)).collect()
}
