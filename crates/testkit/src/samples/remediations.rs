//! Samples of remediations, made by their state machine.

use tradepost_domain::contracts::remediation::{
    Evidence, Finding, Remediation, RemediationEvent, RemediationKind, RemediationStatus,
};
use tradepost_domain::id::{RecordKey, WorkspaceId};
use tradepost_domain::transition::{Subject, SubjectKind};

use super::{Samples, start, text};

impl Samples {
    /// Returns a record that has such a problem.
    pub fn troubled(&self, kind: RemediationKind) -> Subject {
        Subject::new(kind.about(), self.id::<SubjectKind>().to_bytes())
    }

    /// Returns a newly opened remediation of a record.
    ///
    /// # Panics
    /// When such a record does not have this problem.
    pub fn remediation(&self, workspace_id: WorkspaceId, kind: RemediationKind, subject: Subject) -> Remediation {
        let evidence =
            Evidence { shown_by: Some(self.external_id()), expected: Some(text("1500")), found: Some(text("1530")) };
        Remediation::open(RecordKey { workspace_id, id: self.id() }, subject, Finding { kind, evidence }, start())
            .unwrap()
    }

    /// Returns a remediation of a missing item in a status, with an assigned user.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn remediation_in(&self, workspace_id: WorkspaceId, status: RemediationStatus) -> Remediation {
        use RemediationEvent as On;
        let kind = RemediationKind::MissingItem;
        let opened = self.remediation(workspace_id, kind, self.troubled(kind));
        let assigned = On::Assigned { to: self.id() };
        let way = match status {
            RemediationStatus::Open => vec![],
            RemediationStatus::Working => vec![assigned, On::Began],
            RemediationStatus::Waiting => vec![assigned, On::PutOff],
            RemediationStatus::NeedsOperator => vec![assigned],
            RemediationStatus::Resolved => vec![assigned, On::Cleared],
            RemediationStatus::Dismissed => vec![assigned, On::Dismissed { reason: text("sold by hand") }],
        };
        way.into_iter().fold(opened, |remediation, event| remediation.apply(event, start()).unwrap())
    }
}
