//! `alert_rules`: what is sent to a channel, and when.

use std::fmt::Display;
use std::str::FromStr;

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::alerts::rule::{AlertRule, RuleTerms};
use tradepost_domain::alerts::schedule::{Pace, QuietHours, Schedule};
use tradepost_domain::contracts::remediation::Severity;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use super::{member, owner};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "alert_rules")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub channel_id: Uuid,
    pub owner_id: Uuid,
    pub topics: String,
    pub urgent: String,
    pub kinds: String,
    pub min_severity: Option<i16>,
    pub silent_minutes: i32,
    pub pace: i16,
    pub time_zone: String,
    pub quiet_from: Option<String>,
    pub quiet_to: Option<String>,
    pub daily_at: String,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AlertRule {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (terms, schedule) = (&self.terms, &self.terms.schedule);
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            channel_id: uuid(self.channel_id),
            owner_id: owner(self.user_id),
            topics: names(&terms.topics),
            urgent: names(&terms.urgent),
            kinds: names(&terms.kinds),
            min_severity: terms.min_severity.map(Severity::code),
            silent_minutes: terms.silent_minutes.into(),
            pace: schedule.pace.code(),
            time_zone: schedule.zone.to_string(),
            quiet_from: schedule.quiet.map(|quiet| quiet.from().to_string()),
            quiet_to: schedule.quiet.map(|quiet| quiet.to().to_string()),
            daily_at: schedule.daily_at.to_string(),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "alert_rules", home: row.workspace_id, key: row.id };
        let severity = row.min_severity.map(|code| at.code("min_severity", code, Severity::from_code));
        let terms = RuleTerms {
            topics: named(&at, "topics", &row.topics)?,
            urgent: named(&at, "urgent", &row.urgent)?,
            kinds: named(&at, "kinds", &row.kinds)?,
            min_severity: severity.transpose()?,
            silent_minutes: at.number("silent_minutes", row.silent_minutes)?,
            schedule: schedule(&at, &row)?,
        };
        let rule = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            channel_id: id(row.channel_id),
            user_id: member(row.owner_id),
            terms,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(rule, row.version))
    }
}

fn schedule(at: &RowLocation, row: &Model) -> StoreResult<Schedule> {
    let from = at.read_some("quiet_from", row.quiet_from.as_deref(), str::parse)?;
    let to = at.read_some("quiet_to", row.quiet_to.as_deref(), str::parse)?;
    Ok(Schedule {
        zone: at.read("time_zone", TimeZone::stored(&row.time_zone))?,
        pace: at.code("pace", row.pace, Pace::from_code)?,
        quiet: at.read_some("quiet_to", from.zip(to), |(from, to)| QuietHours::new(from, to))?,
        daily_at: at.read("daily_at", row.daily_at.parse())?,
    })
}

fn names<T: ToString>(values: &[T]) -> String {
    serde_json::Value::from(values.iter().map(ToString::to_string).collect::<Vec<_>>()).to_string()
}

fn named<T: FromStr<Err: Display>>(at: &RowLocation, column: &str, json: &str) -> StoreResult<Vec<T>> {
    let names: Vec<String> = at.read(column, serde_json::from_str(json))?;
    names.iter().map(|name| at.read(column, name.parse())).collect()
}
