//! The life of a remediation: one table of legal steps, and what a step writes down.

use super::{Remediation, RemediationAction, RemediationKind, RemediationStatus, Severity};
use crate::id::UserId;
use crate::text::ReasonText;
use crate::time::Timestamp;

/// The trigger of the one row in the log that leaves a remediation in its status: it is worse than before.
pub const RAISED: &str = "raised";

/// Something that happens to a remediation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemediationEvent {
    /// The service begins to work on it.
    Began,
    /// It has to wait for time to pass, or for an external system.
    PutOff,
    /// The service cannot go on by itself.
    HandedOver,
    /// It is assigned to a user.
    Assigned {
        /// Who.
        to: UserId,
    },
    /// It was seen again, and is worse than before.
    Raised {
        /// How bad it is now.
        severity: Severity,
    },
    /// A person had something done about it.
    Acted {
        /// What.
        action: RemediationAction,
    },
    /// The problem is resolved.
    Cleared,
    /// A person decided that nothing more is to be done.
    Dismissed {
        /// Why.
        reason: ReasonText,
    },
}

/// Why an event was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RemediationError {
    /// The remediation is not in a state in which this can happen.
    #[error("a remediation that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: RemediationStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// This is nothing to do about such a problem.
    #[error("{action} does not help with {kind}; {}", helpful(*kind))]
    OtherAction {
        /// The problem.
        kind: RemediationKind,
        /// What was to be done.
        action: RemediationAction,
    },
}

/// What to do about it instead.
fn helpful(kind: RemediationKind) -> String {
    match (kind, kind.actions()) {
        (RemediationKind::BreakerOpen | RemediationKind::DuplicateSuspect, _) => {
            "ResumeContract resolves it once its cause is fixed".to_owned()
        }
        (_, []) => {
            "no action resolves it: settle it with the external system, and dismiss it if it does not resolve itself"
                .to_owned()
        }
        (_, actions) => {
            let names: Vec<_> = actions.iter().map(|action| action.as_str()).collect();
            format!("possible actions: {}", names.join(", "))
        }
    }
}

impl RemediationEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Began => "began",
            Self::PutOff => "put_off",
            Self::HandedOver => "handed_over",
            Self::Assigned { .. } => "assigned",
            Self::Raised { .. } => RAISED,
            Self::Acted { .. } => "acted",
            Self::Cleared => "cleared",
            Self::Dismissed { .. } => "dismissed",
        }
    }
}

impl RemediationStatus {
    /// The whole table: the state that `event` leads to, `None` where it cannot happen.
    pub const fn after(self, event: &RemediationEvent) -> Option<Self> {
        use RemediationEvent as On;
        Some(match (self, event) {
            (Self::Resolved | Self::Dismissed, _)
            | (Self::Working, On::Began)
            | (Self::Waiting, On::PutOff)
            | (Self::NeedsOperator, On::HandedOver) => return None,
            (_, On::Began) => Self::Working,
            (_, On::HandedOver) | (Self::Open, On::Assigned { .. }) => Self::NeedsOperator,
            // While the service handles the problem, or it waits, the assignee only watches.
            (_, On::Assigned { .. } | On::Raised { .. }) => self,
            (_, On::Acted { action }) if action.settles() => Self::Resolved,
            (_, On::PutOff | On::Acted { .. }) => Self::Waiting,
            (_, On::Cleared) => Self::Resolved,
            (_, On::Dismissed { .. }) => Self::Dismissed,
        })
    }
}

impl Remediation {
    /// Takes the step that `event` leads to.
    ///
    /// # Errors
    /// [`RemediationError`] says why it cannot.
    pub fn apply(self, event: RemediationEvent, at: Timestamp) -> Result<Self, RemediationError> {
        let (from, kind) = (self.0.status, self.0.kind);
        let to = from.after(&event).ok_or(RemediationError::IllegalStep { from, event: event.name() })?;
        let mut parts = self.0;
        match event {
            RemediationEvent::Acted { action } if !kind.actions().contains(&action) => {
                return Err(RemediationError::OtherAction { kind, action });
            }
            RemediationEvent::Assigned { to } => parts.assignee = Some(to),
            RemediationEvent::Raised { severity } => {
                parts.severity = parts.severity.max(severity);
                parts.last_seen_at = at.max(parts.last_seen_at);
            }
            RemediationEvent::Dismissed { reason } => parts.reason = Some(reason),
            RemediationEvent::Began
            | RemediationEvent::PutOff
            | RemediationEvent::HandedOver
            | RemediationEvent::Acted { .. }
            | RemediationEvent::Cleared => {}
        }
        parts.status = to;
        // A clock that runs behind another node's must not make the record younger.
        parts.updated_at = at.max(parts.updated_at);
        Ok(Self(parts))
    }
}
