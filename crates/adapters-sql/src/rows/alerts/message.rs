//! `alert_messages`: what was or will be sent, found by when it is due.

use sea_orm::entity::prelude::*;
use tradepost_domain::alerts::message::{AlertMessage, MessageState};
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::contracts::remediation::Severity;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, SubjectKind};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use super::{member, owner};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "alert_messages")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub channel_id: Uuid,
    pub owner_id: Uuid,
    pub rule_id: Option<Uuid>,
    pub topic: i16,
    pub severity: i16,
    pub subject_kind: Option<i16>,
    pub subject_id: Option<Uuid>,
    pub problem: String,
    pub title: String,
    pub detail: Option<String>,
    pub state: i16,
    pub tries: i16,
    pub due_at: i64,
    pub error: Option<String>,
    pub resolved_at: Option<i64>,
    pub created_at: i64,
    pub done_at: Option<i64>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AlertMessage {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            channel_id: uuid(self.channel_id),
            owner_id: owner(self.user_id),
            rule_id: self.rule_id.map(uuid),
            topic: self.topic.code(),
            severity: self.severity.code(),
            subject_kind: self.subject.map(|subject| subject.kind().code()),
            subject_id: self.subject.map(|subject| Uuid::from_bytes(subject.id_bytes())),
            problem: self.problem.to_string(),
            title: self.title.to_string(),
            detail: self.detail.as_ref().map(ToString::to_string),
            state: self.state.code(),
            tries: i16::from(self.tries),
            due_at: self.due_at.as_micros(),
            error: self.error.as_ref().map(ToString::to_string),
            resolved_at: self.resolved_at.map(Timestamp::as_micros),
            created_at: self.created_at.as_micros(),
            done_at: self.done_at.map(Timestamp::as_micros),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "alert_messages", home: row.workspace_id, key: row.id };
        let subject = row.subject_kind.zip(row.subject_id).map(|(kind, id)| {
            let kind = at.code("subject_kind", kind, SubjectKind::from_code)?;
            StoreResult::Ok(Subject::new(kind, id.into_bytes()))
        });
        let message = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            channel_id: id(row.channel_id),
            user_id: member(row.owner_id),
            rule_id: row.rule_id.map(id),
            topic: at.code("topic", row.topic, AlertTopic::from_code)?,
            severity: at.code("severity", row.severity, Severity::from_code)?,
            subject: subject.transpose()?,
            problem: at.read("problem", Text::new(&row.problem))?,
            title: at.read("title", Text::new(&row.title))?,
            detail: at.read_some("detail", row.detail.as_deref(), Text::new)?,
            state: at.code("state", row.state, MessageState::from_code)?,
            tries: at.number("tries", row.tries)?,
            due_at: at.time("due_at", row.due_at)?,
            error: at.read_some("error", row.error.as_deref(), Text::new)?,
            resolved_at: at.time_some("resolved_at", row.resolved_at)?,
            created_at: at.time("created_at", row.created_at)?,
            done_at: at.time_some("done_at", row.done_at)?,
        };
        Ok(Seen::loaded(message, row.version))
    }
}
