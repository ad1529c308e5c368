//! The steps of a confirmation. Before each answer to the platform its step is committed, and what the platform shows afterwards decides what
//! came of it: an answer alone proves nothing.

use super::{
    CheckCode, Confirmation, ConfirmationCheck, ConfirmationStatus, Consequence, MOST_ATTEMPTS, PendingAnswer,
    SEEN_AGAIN_AFTER, ShownConfirmation, Verdict,
};
use crate::id::{IntentId, TradeOfferId};
use crate::text::ReasonText;
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
    /// The same as the platform shows it again. One that shows the same is recorded as seen again once in a while.
    #[must_use]
    pub fn seen_again(self, shown: ShownConfirmation, at: Timestamp) -> Self {
        let is_same = shown == self.shown && self.missing_since.is_none();
        if (shown.platform_kind, &shown.creator) != (self.shown.platform_kind, &self.shown.creator) && self.is_open() {
            return self.another(shown, at);
        }
        if is_same && at.since(self.seen_at) < SEEN_AGAIN_AFTER {
            return self;
        }
        let updated_at = if shown == self.shown { self.updated_at } else { at.max(self.updated_at) };
        Self { shown, seen_at: at.max(self.seen_at), missing_since: None, updated_at, ..self }
    }

    /// What is shown under the id of this one is about something else: nothing that was decided holds for it.
    fn another(self, shown: ShownConfirmation, at: Timestamp) -> Self {
        let again = Self { shown, status: ConfirmationStatus::Seen, checks: Vec::new(), answer: None, ..self };
        let again = Self { trade_offer_id: None, intent_id: None, missing_since: None, ..again };
        let (recorded_at, seen_at) = (at.max(again.recorded_at), at.max(again.seen_at));
        Self { recorded_at, seen_at, updated_at: at.max(again.updated_at), ..again }
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

    /// The same after an examination. Only one that is seen or matched changes by it.
    #[must_use]
    pub fn examined(self, verdict: Verdict, at: Timestamp) -> Self {
        use ConfirmationStatus as Is;
        if !matches!(self.status, Is::Seen | Is::Matched) {
            return self;
        }
        let status = match verdict.refusal {
            None => Is::Matched,
            Some(Consequence::Wait | Consequence::ReadAgain | Consequence::CancelOffer) => Is::Seen,
            Some(Consequence::Report | Consequence::ReportAndCancel | Consequence::StopAccount) => Is::Strange,
        };
        if status == self.status && verdict.checks == self.checks {
            return self;
        }
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
        if !is_deny && self.attempts >= MOST_ATTEMPTS {
            return Err(StepError::Attempts);
        }
        let is_possible = match step {
            ConfirmationStep::Allow => matches!(self.status, Is::Matched),
            ConfirmationStep::AllowByPerson | ConfirmationStep::Deny => {
                matches!(self.status, Is::Seen | Is::Matched | Is::Strange)
            }
        };
        if !is_possible {
            return Err(StepError::Status(self.status));
        }
        let status = if is_deny { Is::Denying } else { Is::Allowing };
        let is_by_person = step != ConfirmationStep::Allow;
        let asked = Self { status, answer: Some(PendingAnswer { asked_at: at, is_by_person, begun_at: None }), ..self };
        let asked = Self { updated_at: at.max(asked.updated_at), ..asked };
        // What the engine decides, it does at once.
        Ok(if is_by_person { asked } else { asked.begun(at) })
    }

    /// The same once the engine is about to give the answer that was asked for.
    #[must_use]
    pub fn begun(self, at: Timestamp) -> Self {
        let Some(answer) = self.answer.filter(|answer| answer.begun_at.is_none()) else { return self };
        let attempts = self.attempts.saturating_add(1);
        let answer = Some(PendingAnswer { begun_at: Some(at), ..answer });
        Self { answer, attempts, updated_at: at.max(self.updated_at), ..self }
    }

    /// The same after a call that certainly did nothing, or once the answer of a person has waited too long.
    #[must_use]
    pub fn not_answered(self, at: Timestamp) -> Self {
        let Some(answer) = self.answer else { return self };
        let is_repeated = answer.is_by_person && !self.is_answer_late(at);
        let attempts = if answer.begun_at.is_some() { self.attempts.saturating_sub(1) } else { self.attempts };
        let waiting = is_repeated.then_some(PendingAnswer { begun_at: None, ..answer });
        let status = if is_repeated { self.status } else { ConfirmationStatus::Seen };
        Self { status, answer: waiting, attempts, updated_at: at.max(self.updated_at), ..self }
    }

    /// The same once the driver does not give the answer that was asked for, which it says before any call. The check of halts names the
    /// reason.
    #[must_use]
    pub fn refused(self, why: Option<ReasonText>, at: Timestamp) -> Self {
        let Some(answer) = self.answer else { return self };
        let attempts = if answer.begun_at.is_some() { self.attempts.saturating_sub(1) } else { self.attempts };
        let halted = ConfirmationCheck { code: CheckCode::Halt, holds: false, detail: why };
        let others = self.checks.into_iter().filter(|check| check.code != CheckCode::Halt);
        let checks = std::iter::once(halted).chain(others).collect();
        // One of an offer of ours is examined again. Any other one waits for a person.
        let is_ours = self.trade_offer_id.is_some();
        let status = if is_ours { ConfirmationStatus::Seen } else { ConfirmationStatus::Strange };
        Self { status, answer: None, attempts, checks, updated_at: at.max(self.updated_at), ..self }
    }

    /// The same after what the platform shows of an answer, or of the offer.
    #[must_use]
    pub fn shown_after(self, outcome: ConfirmationOutcome, at: Timestamp) -> Self {
        use ConfirmationOutcome as Shows;
        use ConfirmationStatus as Is;
        let is_repeated = self.attempts < MOST_ATTEMPTS;
        let by_person = self.answer.filter(|answer| answer.is_by_person && is_repeated);
        let status = match (self.status, outcome) {
            (Is::Allowing | Is::Uncertain, Shows::Allowed) => Is::Allowed,
            (Is::Allowing, Shows::Unknown) => Is::Uncertain,
            // What a person allowed is allowed again. Anything else is examined again, unless that was tried often enough.
            (Is::Allowing | Is::Uncertain, Shows::StillWaits) if by_person.is_some() => Is::Allowing,
            (Is::Allowing | Is::Uncertain, Shows::StillWaits) if is_repeated => Is::Seen,
            (Is::Denying, Shows::Denied | Shows::Gone) => Is::Denied,
            (Is::Denying, Shows::StillWaits) if by_person.is_some() => Is::Denying,
            (Is::Allowing | Is::Uncertain | Is::Denying, Shows::StillWaits) => Is::Strange,
            // Of what was answered elsewhere, the offer shows it. One that changes the account waits for a person.
            (Is::Seen | Is::Matched | Is::Strange, Shows::Allowed | Shows::Denied | Shows::Gone)
                if !self.kind().changes_account() =>
            {
                Is::Vanished
            }
            (Is::Allowing | Is::Uncertain, Shows::Gone | Shows::Denied) => Is::Vanished,
            (status, _) => status,
        };
        let answer = match (status, outcome) {
            (Is::Allowing | Is::Denying, Shows::StillWaits) => {
                by_person.map(|answer| PendingAnswer { begun_at: None, ..answer })
            }
            (Is::Allowing | Is::Denying | Is::Uncertain, _) => self.answer,
            (Is::Seen | Is::Matched | Is::Allowed | Is::Denied | Is::Vanished | Is::Strange, _) => None,
        };
        let updated_at = if status == self.status { self.updated_at } else { at.max(self.updated_at) };
        Self { status, answer, updated_at, ..self }
    }
}

#[cfg(test)]
mod tests;
