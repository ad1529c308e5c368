//! The life of an intent: one table of legal steps, the guards of each, and what a step writes down.

use ::time::Duration;

use super::{Intent, IntentKind, IntentParts, IntentResult, IntentStatus, Moment};
use crate::text::{Name, ReasonText};
use crate::time::Timestamp;

/// How long an approved purchase waits to be carried out, by the market's clock: listings go fast.
pub const APPROVED_BUY_LIFETIME: Duration = Duration::minutes(5);
/// How long an intent waits for a user, and one that is not a purchase for an engine, by the market's clock.
pub const DECISION_LIFETIME: Duration = Duration::minutes(15);
/// How long every intent waits at least, by the server's clock: people decide by that, however fast the market's runs.
pub const HELD_FOR: Duration = Duration::minutes(5);
/// How often an engine looks at an approved intent before it expires.
pub const LOOKS: u8 = 2;
/// How much longer an approved intent waits that no engine looks at, by the server's clock.
pub const UNSERVED_LIFETIME: Duration = Duration::days(1);

/// Why a proposal expires.
const NOT_DECIDED: &str = "NOT_DECIDED";
/// Why an approved intent expires that no engine has looked at.
const NO_ENGINE: &str = "NO_ENGINE";

/// Something that happens to an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntentEvent {
    /// It is to be carried out.
    Approved,
    /// A person refuses it.
    Rejected {
        /// Why.
        reason: Option<ReasonText>,
    },
    /// It is withdrawn before anything was done.
    Withdrawn {
        /// What made it so.
        cause: WithdrawalCause,
        /// What the person said who did it.
        reason: Option<ReasonText>,
    },
    /// Its time is over.
    Expired,
    /// An engine has looked at it and cannot carry it out yet.
    Postponed {
        /// What it waits for.
        check: Name,
    },
    /// A node begins to execute it, or takes over from a stopped node.
    Claimed {
        /// What is recorded with it.
        result: Option<IntentResult>,
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
            Self::Postponed { .. } => "postponed",
            Self::Claimed { .. } => "claimed",
            Self::Denied { .. } => "denied",
            Self::Succeeded { .. } => "succeeded",
            Self::Failed { .. } => "failed",
        }
    }

    /// What was said about it: by a person, or by the check that refused it.
    pub fn said(&self) -> Option<&str> {
        match self {
            Self::Rejected { reason } | Self::Withdrawn { reason, .. } => reason.as_ref().map(ReasonText::as_str),
            Self::Postponed { check } | Self::Denied { check } | Self::Failed { check } => Some(check.as_str()),
            Self::Approved | Self::Expired | Self::Claimed { .. } | Self::Succeeded { .. } => None,
        }
    }
}

impl IntentStatus {
    /// The whole table: the state that `event` leads to, `None` where it cannot happen.
    #[expect(clippy::match_same_arms, reason = "one row for each legal step, with its reason next to it")]
    pub const fn after(self, event: &IntentEvent) -> Option<Self> {
        use IntentEvent as On;
        Some(match (self, event) {
            (Self::Proposed, On::Approved) => Self::Approved,
            (Self::Proposed, On::Rejected { .. }) => Self::Rejected,
            (Self::Proposed | Self::Approved, On::Withdrawn { .. }) => Self::Cancelled,
            (Self::Proposed | Self::Approved, On::Expired) => Self::Expired,
            // What is checked again when it is carried out may have changed since it was approved.
            (Self::Proposed | Self::Approved | Self::Executing, On::Denied { .. }) => Self::Denied,
            // Each look of an engine counts.
            (Self::Approved, On::Postponed { .. }) => Self::Approved,
            (Self::Approved, On::Claimed { .. }) => Self::Executing,
            // Taken over after a crash: the higher version keeps the previous node from ending it.
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
    pub fn apply(self, event: IntentEvent, at: Moment) -> Result<Self, IntentError> {
        let from = self.0.status;
        let to = from.after(&event).ok_or(IntentError::IllegalStep { from, event: event.name() })?;
        let mut parts = self.0;
        check(&parts, &event, at)?;
        match event {
            IntentEvent::Approved => {
                parts.expires_at = at.market.plus(approved_for(parts.terms.kind));
                parts.held_until = at.server.plus(HELD_FOR);
            }
            IntentEvent::Rejected { reason } => parts.reason = reason,
            IntentEvent::Withdrawn { reason, .. } => {
                parts.failed_check = None;
                parts.reason = reason;
            }
            IntentEvent::Expired => {
                let unseen = if from == IntentStatus::Proposed { NOT_DECIDED } else { NO_ENGINE };
                parts.failed_check = parts.failed_check.or_else(|| Name::new(unseen).ok());
            }
            IntentEvent::Postponed { check } => {
                parts.looks = parts.looks.saturating_add(1).min(LOOKS);
                parts.failed_check = Some(check);
            }
            IntentEvent::Denied { check } | IntentEvent::Failed { check } => parts.failed_check = Some(check),
            IntentEvent::Claimed { result } => {
                parts.failed_check = None;
                parts.result = result.or(parts.result);
            }
            IntentEvent::Succeeded { result } => parts.result = result.or(parts.result),
        }
        parts.status = to;
        // A clock that runs behind another node's must not make the record younger.
        parts.updated_at = at.market.max(parts.updated_at);
        Ok(Self(parts))
    }
}

impl IntentParts {
    /// Whether it waits no longer: its time is over by both clocks and, once it was approved, engines have had their looks at it. One that
    /// no engine looks at ends all the same, so that its item can be sold.
    pub fn is_over(&self, at: Moment) -> bool {
        let is_late = self.expires_at <= at.market && self.held_until <= at.server;
        let was_looked_at = self.status != IntentStatus::Approved || self.looks >= LOOKS;
        is_late && (was_looked_at || self.held_until.plus(UNSERVED_LIFETIME) <= at.server)
    }
}

/// The guards that can be decided from the record and the event.
fn check(intent: &IntentParts, event: &IntentEvent, at: Moment) -> Result<(), IntentError> {
    let (expires_at, is_over) = (intent.expires_at, intent.is_over(at));
    match event {
        IntentEvent::Approved if is_over => Err(IntentError::Expired { expires_at }),
        IntentEvent::Expired if !is_over => Err(IntentError::NotExpired { expires_at }),
        IntentEvent::Claimed { .. } if is_over && intent.status == IntentStatus::Approved => {
            Err(IntentError::Expired { expires_at })
        }
        IntentEvent::Claimed { result: Some(IntentResult::Purchase(_)) } if intent.terms.kind != IntentKind::Buy => {
            Err(IntentError::BuysNothing(intent.terms.kind))
        }
        IntentEvent::Claimed { result: Some(IntentResult::Purchase(_)) } if intent.result.is_some() => {
            Err(IntentError::HasPurchase)
        }
        IntentEvent::Approved
        | IntentEvent::Expired
        | IntentEvent::Postponed { .. }
        | IntentEvent::Claimed { .. }
        | IntentEvent::Rejected { .. }
        | IntentEvent::Withdrawn { .. }
        | IntentEvent::Denied { .. }
        | IntentEvent::Succeeded { .. }
        | IntentEvent::Failed { .. } => Ok(()),
    }
}

/// How long an approved intent waits, by the market's clock.
const fn approved_for(kind: IntentKind) -> Duration {
    if matches!(kind, IntentKind::Buy) { APPROVED_BUY_LIFETIME } else { DECISION_LIFETIME }
}
