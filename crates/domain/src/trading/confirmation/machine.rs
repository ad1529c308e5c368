//! The steps of a confirmation. Before each answer to the platform its step is committed, and what the platform shows afterwards decides what
//! came of it: an answer alone proves nothing.

use super::{Confirmation, ConfirmationStatus, Consequence, MOST_ATTEMPTS, ShownConfirmation, Verdict};
use crate::id::{IntentId, TradeOfferId};
use crate::time::Timestamp;

/// What people and the engine do about a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfirmationStep {
    /// The engine allows it: every check holds.
    Allow,
    /// A person allows it.
    AllowByPerson,
    /// A person denies it.
    Deny,
}

/// What the platform shows after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfirmationOutcome {
    /// The offer moved on, or waits no longer.
    Allowed,
    /// The list leaves it out after it was denied.
    Denied,
    /// Nothing can be said: the call had no answer.
    Unknown,
    /// The offer still waits, and the list still shows the confirmation.
    StillWaits,
    /// The offer still waits, and the list leaves the confirmation out; or the offer has ended.
    Gone,
}

/// Why a step is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The kind is never allowed here.
    #[error("a confirmation that changes the account is not allowed here: use the app of the platform, or deny it")]
    NotHere,
    /// The status has no such step.
    #[error("a confirmation that is {0} cannot be answered")]
    Status(ConfirmationStatus),
    /// It was answered too often.
    #[error("the platform has answered {MOST_ATTEMPTS} times without an effect: use its app")]
    Attempts,
}

impl Confirmation {
    /// The same as the platform shows it again.
    #[must_use]
    pub fn seen_again(self, shown: ShownConfirmation, at: Timestamp) -> Self {
        let updated_at = if shown == self.shown { self.updated_at } else { at.max(self.updated_at) };
        Self { shown, seen_at: at.max(self.seen_at), missing_since: None, updated_at, ..self }
    }

    /// The same once a list has left it out.
    #[must_use]
    pub fn missing(self, at: Timestamp) -> Self {
        Self { missing_since: self.missing_since.or(Some(at)), ..self }
    }

    /// The same with the offer that it is about.
    #[must_use]
    pub fn about(self, offer: TradeOfferId, intent: Option<IntentId>, at: Timestamp) -> Self {
        Self { trade_offer_id: Some(offer), intent_id: intent, updated_at: at.max(self.updated_at), ..self }
    }

    /// The same after an examination. Only one that is seen or matched changes its status by it.
    #[must_use]
    pub fn examined(self, verdict: Verdict, at: Timestamp) -> Self {
        use ConfirmationStatus as Is;
        let status = match (self.status, verdict.refusal) {
            (Is::Seen | Is::Matched, None) => Is::Matched,
            (Is::Seen | Is::Matched, Some(Consequence::Wait | Consequence::ReadAgain | Consequence::CancelOffer)) => {
                Is::Seen
            }
            (
                Is::Seen | Is::Matched,
                Some(Consequence::Report | Consequence::ReportAndCancel | Consequence::StopAccount),
            ) => Is::Strange,
            (Is::Allowing | Is::Allowed | Is::Denying | Is::Denied | Is::Vanished | Is::Uncertain | Is::Strange, _) => {
                self.status
            }
        };
        Self { status, checks: verdict.checks, updated_at: at.max(self.updated_at), ..self }
    }

    /// The same once it is about to be answered.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn answering(self, step: ConfirmationStep, at: Timestamp) -> Result<Self, StepError> {
        use ConfirmationStatus as Is;
        let is_deny = step == ConfirmationStep::Deny;
        if !is_deny && self.kind().changes_account() {
            return Err(StepError::NotHere);
        }
        if self.attempts >= MOST_ATTEMPTS {
            return Err(StepError::Attempts);
        }
        let is_possible = match step {
            ConfirmationStep::Allow => matches!(self.status, Is::Matched),
            ConfirmationStep::AllowByPerson => matches!(self.status, Is::Seen | Is::Matched | Is::Strange),
            ConfirmationStep::Deny => matches!(self.status, Is::Seen | Is::Matched | Is::Strange),
        };
        if !is_possible {
            return Err(StepError::Status(self.status));
        }
        let status = if is_deny { Is::Denying } else { Is::Allowing };
        let attempts = self.attempts.saturating_add(1);
        Ok(Self { status, attempts, updated_at: at.max(self.updated_at), ..self })
    }

    /// The same after what the platform shows of an answer, or of the offer.
    #[must_use]
    pub fn shown_after(self, outcome: ConfirmationOutcome, at: Timestamp) -> Self {
        use ConfirmationOutcome as Shows;
        use ConfirmationStatus as Is;
        let status = match (self.status, outcome) {
            (Is::Allowing | Is::Uncertain, Shows::Allowed) => Is::Allowed,
            (Is::Allowing, Shows::Unknown) => Is::Uncertain,
            // It is examined and allowed again, unless that was tried often enough.
            (Is::Allowing | Is::Uncertain, Shows::StillWaits) => {
                if self.attempts < MOST_ATTEMPTS {
                    Is::Seen
                } else {
                    Is::Strange
                }
            }
            (Is::Denying, Shows::Denied | Shows::Gone) => Is::Denied,
            (Is::Denying, Shows::StillWaits) => Is::Seen,
            (Is::Seen | Is::Matched | Is::Allowing | Is::Uncertain | Is::Strange, Shows::Gone) => Is::Vanished,
            // What was answered elsewhere is seen by the offer.
            (Is::Seen | Is::Matched | Is::Strange, Shows::Allowed | Shows::Denied) => Is::Vanished,
            (status, _) => status,
        };
        let updated_at = if status == self.status { self.updated_at } else { at.max(self.updated_at) };
        Self { status, updated_at, ..self }
    }
}

#[cfg(test)]
mod tests;
