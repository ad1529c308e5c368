//! `webhook_endpoints`: where events are delivered, and which.

use sea_orm::entity::prelude::*;
use tradepost_domain::events::webhook_endpoint::{DisabledReason, EndpointStatus, EventPatterns, WebhookEndpoint};
use tradepost_domain::text::Text;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_endpoints")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub url: String,
    pub description: Option<String>,
    pub types: String,
    pub status: i16,
    pub disabled_reason: Option<i16>,
    pub secret_hint: String,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for WebhookEndpoint {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            url: self.url.to_string(),
            description: self.description.as_ref().map(ToString::to_string),
            types: serde_json::Value::from(self.types.iter().collect::<Vec<_>>()).to_string(),
            status: self.status.code(),
            disabled_reason: self.disabled_reason.map(DisabledReason::code),
            secret_hint: self.secret_hint.to_string(),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "webhook_endpoints", home: row.workspace_id, key: row.id };
        let types: Vec<String> = at.read("types", serde_json::from_str(&row.types))?;
        let reason = row.disabled_reason.map(|code| at.code("disabled_reason", code, DisabledReason::from_code));
        let endpoint = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            url: at.read("url", Text::new(&row.url))?,
            description: at.read_some("description", row.description.as_deref(), Text::new)?,
            types: at.read("types", EventPatterns::parse(&types))?,
            status: at.code("status", row.status, EndpointStatus::from_code)?,
            disabled_reason: reason.transpose()?,
            secret_hint: at.read("secret_hint", Text::new(&row.secret_hint))?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(endpoint, row.version))
    }
}
