//! `remediations`: problems with records, the evidence of each, and who handles it.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::remediation::{
    Evidence, Remediation, RemediationKind, RemediationParts, RemediationStatus, Severity,
};
use tradepost_domain::text::{ExternalId, ReasonText};
use tradepost_domain::transition::{Subject, SubjectKind};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "remediations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub kind: i16,
    pub severity: i16,
    pub subject_kind: i16,
    pub subject_id: Uuid,
    pub status: i16,
    pub shown_by: Option<String>,
    pub expected: Option<String>,
    pub found: Option<String>,
    pub assignee_id: Option<Uuid>,
    pub reason: Option<String>,
    pub created_at: i64,
    pub last_seen_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Remediation {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let text = |id: &Option<ExternalId>| id.as_ref().map(ToString::to_string);
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            kind: self.kind.code(),
            severity: self.severity.code(),
            subject_kind: self.subject.kind().code(),
            subject_id: Uuid::from_bytes(self.subject.id_bytes()),
            status: self.status.code(),
            shown_by: text(&self.evidence.shown_by),
            expected: text(&self.evidence.expected),
            found: text(&self.evidence.found),
            assignee_id: self.assignee.map(uuid),
            reason: self.reason.as_ref().map(ToString::to_string),
            created_at: self.created_at.as_micros(),
            last_seen_at: self.last_seen_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "remediations", home: row.workspace_id, key: row.id };
        let text = |column, text: Option<&str>| at.read_some(column, text, ExternalId::new);
        let subject_kind = at.code("subject_kind", row.subject_kind, SubjectKind::from_code)?;
        let parts = RemediationParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            kind: at.code("kind", row.kind, RemediationKind::from_code)?,
            severity: at.code("severity", row.severity, Severity::from_code)?,
            subject: Subject::new(subject_kind, row.subject_id.into_bytes()),
            status: at.code("status", row.status, RemediationStatus::from_code)?,
            evidence: Evidence {
                shown_by: text("shown_by", row.shown_by.as_deref())?,
                expected: text("expected", row.expected.as_deref())?,
                found: text("found", row.found.as_deref())?,
            },
            assignee: row.assignee_id.map(id),
            reason: at.read_some("reason", row.reason.as_deref(), ReasonText::new)?,
            created_at: at.time("created_at", row.created_at)?,
            last_seen_at: at.time("last_seen_at", row.last_seen_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}
