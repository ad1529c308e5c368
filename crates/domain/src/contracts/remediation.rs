//! A remediation: a problem with one record that does not go away by itself, what shows it, and what can be done about it.
//!
//! A record has one open remediation of a kind at a time. A [`Remediation`] can be read freely but only made by
//! [`Remediation::open`] and [`Remediation::open_graded`], changed by [`Remediation::apply`] and [`Remediation::seen_again`], and read back
//! from a store by [`Remediation::restore`]. What makes a problem is decided in [`findings`]; its revision counter belongs to the store.

pub mod findings;
mod kind;
mod machine;

use std::ops::Deref;

use ::time::Duration;

use crate::id::{RecordKey, RemediationId, UserId, WorkspaceId};
use crate::text::{ExternalId, ReasonText};
use crate::time::Timestamp;
use crate::transition::{Subject, SubjectKind};

pub use findings::{Finding, GradedFinding};
pub use kind::{RemediationAction, RemediationKind, RemediationStatus, Severity};
pub use machine::{RAISED, RemediationError, RemediationEvent};

/// How long the outcome of a purchase may be unknown before it is reported.
pub const UNDECIDED_AFTER: Duration = Duration::minutes(15);

/// What shows a problem. All of it may be unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// The outside identifier that proves it: an order, a trade, a snapshot; of losses the day.
    pub shown_by: Option<ExternalId>,
    /// What was to be found.
    pub expected: Option<ExternalId>,
    /// What was found instead.
    pub found: Option<ExternalId>,
}

/// All fields of a remediation, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemediationParts {
    /// Its own id.
    pub id: RemediationId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What the problem is.
    pub kind: RemediationKind,
    /// How bad it is.
    pub severity: Severity,
    /// The record that has the problem.
    pub subject: Subject,
    /// The current status.
    pub status: RemediationStatus,
    /// What showed it first.
    pub evidence: Evidence,
    /// The user to whom it is assigned.
    pub assignee: Option<UserId>,
    /// Why it was dismissed.
    pub reason: Option<ReasonText>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When the problem was last seen.
    pub last_seen_at: Timestamp,
    /// When the remediation last changed.
    pub updated_at: Timestamp,
}

/// A remediation that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remediation(RemediationParts);

/// The problem is none that such a record has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{kind} is a problem of a {wanted}, and not of a {given}", wanted = .kind.about())]
pub struct OtherSubject {
    /// The problem.
    pub kind: RemediationKind,
    /// The kind of record that was given.
    pub given: SubjectKind,
}

/// A stored remediation breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a remediation that is {status} breaks a rule: {rule}")]
pub struct CorruptRemediation {
    /// The stored status.
    pub status: RemediationStatus,
    /// The rule.
    pub rule: &'static str,
}

impl Remediation {
    /// Opens a remediation for a problem that was found.
    ///
    /// # Errors
    /// [`OtherSubject`] when records such as the subject do not have this problem.
    pub fn open(
        key: RecordKey<RemediationId>,
        subject: Subject,
        finding: Finding,
        at: Timestamp,
    ) -> Result<Self, OtherSubject> {
        Self::open_graded(key, subject, finding.into(), at)
    }

    /// Opens a remediation for a problem whose severity depends on more than its kind.
    ///
    /// # Errors
    /// [`OtherSubject`] when records such as the subject do not have this problem.
    pub fn open_graded(
        RecordKey { workspace_id, id }: RecordKey<RemediationId>,
        subject: Subject,
        GradedFinding { finding: Finding { kind, evidence }, severity }: GradedFinding,
        at: Timestamp,
    ) -> Result<Self, OtherSubject> {
        if kind.about() != subject.kind() {
            return Err(OtherSubject { kind, given: subject.kind() });
        }
        Ok(Self(RemediationParts {
            id,
            workspace_id,
            kind,
            severity,
            subject,
            status: kind.first_status(),
            evidence,
            assignee: None,
            reason: None,
            created_at: at,
            last_seen_at: at,
            updated_at: at,
        }))
    }

    /// Takes a remediation back from a store.
    ///
    /// # Errors
    /// [`CorruptRemediation`] when the parts contradict each other.
    pub fn restore(parts: RemediationParts) -> Result<Self, CorruptRemediation> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptRemediation { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// Whether it has not ended. A record has one live remediation of a kind.
    pub fn is_live(&self) -> bool {
        !self.0.status.is_terminal()
    }

    /// The same problem seen once more: nothing changes but when it was last seen.
    #[must_use]
    pub fn seen_again(self, at: Timestamp) -> Self {
        let (last_seen_at, updated_at) = (at.max(self.0.last_seen_at), at.max(self.0.updated_at));
        Self(RemediationParts { last_seen_at, updated_at, ..self.0 })
    }

    /// What can be done about it now.
    pub fn allowed_actions(&self) -> &'static [RemediationAction] {
        if self.is_live() { self.0.kind.actions() } else { &[] }
    }
}

impl Deref for Remediation {
    type Target = RemediationParts;

    fn deref(&self) -> &RemediationParts {
        &self.0
    }
}

impl RemediationParts {
    /// The first rule that the parts break. Every record that the machine makes breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        let rules = [
            (self.kind.about() == self.subject.kind(), "it is about a record that has such problems"),
            (
                self.reason.is_some() == (self.status == RemediationStatus::Dismissed),
                "why it was dismissed is on record exactly when it was",
            ),
            (self.created_at <= self.last_seen_at, "it is not seen before it is opened"),
            (self.last_seen_at <= self.updated_at, "it is not seen after it last changed"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
