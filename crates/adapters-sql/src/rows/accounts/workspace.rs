//! `workspaces`: the tenants.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::accounts::workspace::{KeyLife, RiskAcknowledgement, Settings, TradingHalt, Workspace};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{Description, Name, NoticeVersion, ReasonText};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "workspaces")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    pub base_currency: String,
    pub time_zone: String,
    pub require_two_factor: bool,
    pub max_key_days: Option<i16>,
    pub allow_email_step_up: bool,
    pub halt_reason: Option<String>,
    pub halted_at: Option<i64>,
    pub risk_notice_version: Option<String>,
    pub risk_notice_read_by: Option<Uuid>,
    pub risk_notice_read_at: Option<i64>,
    pub deleted_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Workspace {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let read = self.risks_acknowledged.as_ref();
        Model {
            id: uuid(self.id),
            name: self.name.to_string(),
            description: self.description.as_ref().map(ToString::to_string),
            base_currency: self.base_currency.to_string(),
            time_zone: self.time_zone.to_string(),
            require_two_factor: self.settings.require_two_factor,
            max_key_days: self.settings.key_life.and_then(|life| i16::try_from(life.days()).ok()),
            allow_email_step_up: self.settings.allow_email_step_up,
            halt_reason: self.trading_halt.as_ref().map(|halt| halt.reason.to_string()),
            halted_at: self.trading_halt.as_ref().map(|halt| halt.since.as_micros()),
            risk_notice_version: read.map(|read| read.version.to_string()),
            risk_notice_read_by: read.and_then(|read| read.by).map(uuid),
            risk_notice_read_at: read.map(|read| read.at.as_micros()),
            deleted_at: self.deleted_at.map(Timestamp::as_micros),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "workspaces", home: row.id, key: row.id };
        let settings = Settings {
            require_two_factor: row.require_two_factor,
            key_life: at.read_some("max_key_days", row.max_key_days, |days| KeyLife::new(days.into()))?,
            allow_email_step_up: row.allow_email_step_up,
        };
        let reason = at.read_some("halt_reason", row.halt_reason, |text| ReasonText::new(&text))?;
        let halt = reason.zip(at.time_some("halted_at", row.halted_at)?);
        let version = at.read_some("risk_notice_version", row.risk_notice_version, |text| NoticeVersion::new(&text))?;
        let by = row.risk_notice_read_by.map(id);
        let read = version.zip(at.time_some("risk_notice_read_at", row.risk_notice_read_at)?);
        let workspace = Self {
            id: id(row.id),
            name: at.read("name", Name::new(&row.name))?,
            description: at.read_some("description", row.description, |text| Description::new(&text))?,
            base_currency: at.read("base_currency", Currency::new(&row.base_currency))?,
            time_zone: at.read("time_zone", TimeZone::stored(&row.time_zone))?,
            settings,
            trading_halt: halt.map(|(reason, since)| TradingHalt { reason, since }),
            risks_acknowledged: read.map(|(version, at)| RiskAcknowledgement { version, by, at }),
            deleted_at: at.time_some("deleted_at", row.deleted_at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(workspace, row.version))
    }
}
