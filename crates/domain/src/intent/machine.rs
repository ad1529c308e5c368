//! The life of an intent: one table of legal steps, the guards of each, and what a step writes down.

use ::time::Duration;

use super::{Intent, IntentKind, IntentParts, IntentResult, IntentStatus};
use crate::contract::ApprovalMode;
use crate::id::PurchaseId;
use crate::text::{Name, Reason};
use crate::time::Timestamp;

/// How long a purchase that needs nobody's approval waits to be carried out: listings go fast.
pub const BUY_LIFETIME: Duration = Duration::seconds(10);
/// How long a purchase that a person approved waits to be carried out.
pub const CLAIMABLE_BUY_LIFETIME: Duration = Duration::seconds(60);
/// How long an intent waits for a person, and what is no purchase for whoever carries it out.
pub const DECISION_LIFETIME: Duration = Duration::minutes(15);

/// Something that happens to an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntentEvent {
    /// It is to be carried out.
    Approved,
    /// A person refuses it.
    Rejected {
        /// Why.
        reason: Option<Reason>,
    },
    /// It is withdrawn before anything was done.
    Withdrawn {
        /// What made it so.
        cause: WithdrawalCause,
        /// What the person said who did it.
        reason: Option<Reason>,
    },
    /// Its time is over.
    Expired,
    /// Somebody begins to carry it out, or goes on after whoever did before.
    Claimed {
        /// The purchase that is recorded with it.
        purchase_id: Option<PurchaseId>,
    },
    /// A check refuses it.
    Denied {
        /// The check.
        check: Name,
    },
    /// It was carried out.
    Succeeded {
        /// What came of it, where that is more than was known.
        result: Option<IntentResult>,
    },
    /// It could not be carried out.
    Failed {
        /// Why.
        check: Name,
    },
}

/// Why an intent is withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WithdrawalCause {
    /// A person withdrew it.
    Person,
    /// Its contract takes on nothing new.
    ContractStopped,
    /// Its contract only shows what it would do.
    DryRun,
}

/// Why an event was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IntentError {
    /// The intent is not in a state in which this can happen.
    #[error("an intent that is {from} cannot be {event}")]
    IllegalStep {
        /// The state it is in.
        from: IntentStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// Its time is over.
    #[error("the intent expired at {expires_at}")]
    Expired {
        /// When its time ended.
        expires_at: Timestamp,
    },
    /// Its time is not over yet.
    #[error("the intent does not expire before {expires_at}")]
    NotExpired {
        /// When its time ends.
        expires_at: Timestamp,
    },
    /// There is a purchase for it already.
    #[error("a purchase was recorded for the intent already")]
    HasPurchase,
    /// Nothing is bought by it.
    #[error("an intent to {0} buys nothing")]
    BuysNothing(
        /// What it is for.
        IntentKind,
    ),
}

impl IntentEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected { .. } => "rejected",
            Self::Withdrawn { cause: WithdrawalCause::Person, .. } => "withdrawn",
            Self::Withdrawn { cause: WithdrawalCause::ContractStopped, .. } => "contract_stopped",
            Self::Withdrawn { cause: WithdrawalCause::DryRun, .. } => "dry_run",
            Self::Expired => "expired",
            Self::Claimed { .. } => "claimed",
            Self::Denied { .. } => "denied",
            Self::Succeeded { .. } => "succeeded",
            Self::Failed { .. } => "failed",
        }
    }

    /// What was said about it: by a person, or by the check that refused it.
    pub fn said(&self) -> Option<&str> {
        match self {
            Self::Rejected { reason } | Self::Withdrawn { reason, .. } => reason.as_ref().map(Reason::as_str),
            Self::Denied { check } | Self::Failed { check } => Some(check.as_str()),
            Self::Approved | Self::Expired | Self::Claimed { .. } | Self::Succeeded { .. } => None,
        }
    }
}

impl IntentStatus {
    /// The whole table: the state that `event` leads to, `None` where it cannot happen.
    #[expect(clippy::match_same_arms, reason = "one row for each legal step, with its reason beside it")]
    pub const fn after(self, event: &IntentEvent) -> Option<Self> {
        use IntentEvent as On;
        Some(match (self, event) {
            (Self::Proposed, On::Approved) => Self::Approved,
            (Self::Proposed, On::Rejected { .. }) => Self::Rejected,
            (Self::Proposed | Self::Approved, On::Withdrawn { .. }) => Self::Cancelled,
            (Self::Proposed | Self::Approved, On::Expired) => Self::Expired,
            // What is checked again when it is carried out may have changed since it was approved.
            (Self::Proposed | Self::Approved | Self::Executing, On::Denied { .. }) => Self::Denied,
            (Self::Approved, On::Claimed { .. }) => Self::Executing,
            // Taken over after a crash: the version that grows keeps whoever had it from ending it.
            (Self::Executing, On::Claimed { .. }) => Self::Executing,
            (Self::Executing, On::Succeeded { .. }) => Self::Succeeded,
            (Self::Executing, On::Failed { .. }) => Self::Failed,
            _ => return None,
        })
    }
}

impl Intent {
    /// Takes the step that `event` leads to.
    ///
    /// # Errors
    /// [`IntentError::IllegalStep`] when the event cannot happen in this state, another [`IntentError`] when its guard does
    /// not hold.
    pub fn apply(self, event: IntentEvent, at: Timestamp) -> Result<Self, IntentError> {
        let from = self.0.status;
        let to = from.after(&event).ok_or(IntentError::IllegalStep { from, event: event.name() })?;
        let mut parts = self.0;
        check(&parts, &event, at)?;
        match event {
            IntentEvent::Approved if parts.terms.approval_mode == ApprovalMode::Manual => {
                parts.expires_at = at.plus(claimable_for(parts.terms.kind));
            }
            IntentEvent::Rejected { reason } | IntentEvent::Withdrawn { reason, .. } => parts.reason = reason,
            IntentEvent::Denied { check } | IntentEvent::Failed { check } => parts.failed_check = Some(check),
            IntentEvent::Claimed { purchase_id: Some(id) } => parts.result = Some(IntentResult::Purchase(id)),
            IntentEvent::Succeeded { result: Some(result) } => parts.result = Some(result),
            IntentEvent::Approved
            | IntentEvent::Expired
            | IntentEvent::Claimed { purchase_id: None }
            | IntentEvent::Succeeded { result: None } => {}
        }
        parts.status = to;
        // A clock that runs behind another node's must not make the record younger.
        parts.updated_at = at.max(parts.updated_at);
        Ok(Self(parts))
    }
}

/// The guards that can be decided from the record and the event.
fn check(intent: &IntentParts, event: &IntentEvent, at: Timestamp) -> Result<(), IntentError> {
    let expires_at = intent.expires_at;
    let is_over = expires_at <= at;
    match event {
        IntentEvent::Approved if is_over => Err(IntentError::Expired { expires_at }),
        IntentEvent::Expired if !is_over => Err(IntentError::NotExpired { expires_at }),
        IntentEvent::Claimed { .. } if is_over && intent.status == IntentStatus::Approved => {
            Err(IntentError::Expired { expires_at })
        }
        IntentEvent::Claimed { purchase_id: Some(_) } if intent.terms.kind != IntentKind::Buy => {
            Err(IntentError::BuysNothing(intent.terms.kind))
        }
        IntentEvent::Claimed { purchase_id: Some(_) } if intent.result.is_some() => Err(IntentError::HasPurchase),
        IntentEvent::Approved
        | IntentEvent::Expired
        | IntentEvent::Claimed { .. }
        | IntentEvent::Rejected { .. }
        | IntentEvent::Withdrawn { .. }
        | IntentEvent::Denied { .. }
        | IntentEvent::Succeeded { .. }
        | IntentEvent::Failed { .. } => Ok(()),
    }
}

/// How long an intent waits from its proposal on.
pub(super) const fn lifetime(kind: IntentKind, mode: ApprovalMode) -> Duration {
    match (kind, mode) {
        (IntentKind::Buy, ApprovalMode::Automatic) => BUY_LIFETIME,
        (_, ApprovalMode::Automatic | ApprovalMode::Manual | ApprovalMode::DryRun) => DECISION_LIFETIME,
    }
}

/// How long an intent waits from a person's approval on.
const fn claimable_for(kind: IntentKind) -> Duration {
    if matches!(kind, IntentKind::Buy) { CLAIMABLE_BUY_LIFETIME } else { DECISION_LIFETIME }
}
