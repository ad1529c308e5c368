//! The life of a session: one table of legal steps.

use super::{AccountSession, Asked, MOST_CODES, SessionFailure, SessionStatus, TokenExpiry};
use crate::time::Timestamp;

/// Something that happens to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEvent {
    /// The platform is about to be called to begin the sign-in.
    Begun,
    /// The platform asks for a code or an approval.
    Asked(
        /// What suffices.
        Asked,
    ),
    /// A code was given by a person, for the engine to hand on.
    CodeSubmitted,
    /// The engine has taken the code, or made one, and gives it to the platform.
    CodeGiven,
    /// The platform does not accept the code.
    CodeRefused,
    /// The platform has signed the account in.
    SignedIn(
        /// How long its tokens last.
        TokenExpiry,
    ),
    /// The account was not signed in.
    Refused(
        /// Why.
        SessionFailure,
    ),
    /// Its tokens are being renewed.
    RenewalBegun,
    /// Its tokens were renewed.
    Renewed(
        /// How long the new ones last.
        TokenExpiry,
    ),
    /// A renewal certainly had no effect.
    RenewalPostponed,
    /// The platform no longer accepts it.
    Lost(
        /// Why, as far as that is known.
        SessionFailure,
    ),
    /// A person wants its tokens to be revoked.
    EndRequested,
    /// The platform is about to be called to revoke its tokens.
    RevocationBegun,
    /// It was ended here, or another one follows it.
    Closed,
    /// The platform has revoked it.
    Revoked,
}

/// The session has no such step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a session that is {from} cannot be {event}")]
pub struct SessionStepError {
    /// The status it has.
    pub from: SessionStatus,
    /// The name of the event.
    pub event: &'static str,
}

impl SessionEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Asked(_) => "code_asked_for",
            Self::CodeSubmitted => "code_submitted",
            Self::CodeGiven => "code_given",
            Self::CodeRefused => "code_refused",
            Self::SignedIn(_) => "signed_in",
            Self::Refused(_) => "refused",
            Self::RenewalBegun => "renewal_begun",
            Self::Renewed(_) => "renewed",
            Self::RenewalPostponed => "renewal_postponed",
            Self::Lost(_) => "lost",
            Self::EndRequested => "end_requested",
            Self::RevocationBegun => "revocation_begun",
            Self::Closed => "closed",
            Self::Revoked => "revoked",
        }
    }
}

impl SessionStatus {
    /// The whole table: the status that `event` leads to, `None` where it cannot happen.
    pub fn after(self, event: &SessionEvent) -> Option<Self> {
        use SessionEvent as On;
        Some(match (self, event) {
            (Self::Starting | Self::AwaitingCode | Self::AwaitingApproval, On::Asked(asked)) => {
                if asked.guards.iter().any(|guard| guard.takes_code()) {
                    Self::AwaitingCode
                } else {
                    Self::AwaitingApproval
                }
            }
            (Self::AwaitingCode, On::CodeSubmitted) | (Self::Starting | Self::AwaitingCode, On::CodeGiven) => {
                Self::Starting
            }
            (Self::Starting, On::CodeRefused) => Self::AwaitingCode,
            (Self::Starting | Self::AwaitingCode | Self::AwaitingApproval, On::SignedIn(_))
            | (Self::Active | Self::Renewing, On::Renewed(_))
            | (Self::Renewing, On::RenewalPostponed) => Self::Active,
            (Self::Starting | Self::AwaitingCode | Self::AwaitingApproval, On::Refused(_)) => Self::Failed,
            (Self::Active, On::RenewalBegun) => Self::Renewing,
            (Self::Active | Self::Renewing, On::Lost(_)) => Self::Expired,
            (Self::Starting | Self::AwaitingCode | Self::AwaitingApproval, On::Begun)
            | (Self::Active | Self::Renewing, On::EndRequested | On::RevocationBegun) => self,
            (from, On::Closed) if !from.is_terminal() => Self::Closed,
            (Self::Active | Self::Renewing | Self::Expired, On::Revoked) => Self::Revoked,
            _ => return None,
        })
    }
}

impl AccountSession {
    /// Takes the step of `event`.
    ///
    /// # Errors
    /// [`SessionStepError`] when the event cannot happen in this status, and for a call that is announced too soon after the last one.
    pub fn apply(self, event: SessionEvent, at: Timestamp) -> Result<Self, SessionStepError> {
        let error = SessionStepError { from: self.status, event: event.name() };
        let status = self.status.after(&event).ok_or(error)?;
        let is_announced = matches!(event, SessionEvent::Begun | SessionEvent::RevocationBegun);
        if is_announced && !self.may_call(at) {
            return Err(error);
        }
        // The call that began the sign-in is over once tokens came. One that revokes tokens may be in flight while they are renewed.
        let called_at = if self.status.is_signing_in() { None } else { self.called_at };
        let next = Self { status, updated_at: at.max(self.updated_at), ..self };
        Ok(match event {
            SessionEvent::Begun | SessionEvent::RevocationBegun => Self { called_at: Some(at), ..next },
            SessionEvent::Asked(asked) => Self { asked, has_code: false, ..next },
            SessionEvent::CodeSubmitted => Self { has_code: true, ..next },
            SessionEvent::CodeGiven => Self {
                codes_given: next.codes_given.saturating_add(1),
                code_given_at: Some(at),
                has_code: false,
                failure: None,
                ..next
            },
            SessionEvent::CodeRefused => {
                let status = if next.codes_given < MOST_CODES { next.status } else { SessionStatus::Failed };
                Self { status, failure: Some(SessionFailure::WrongCode), ..next }
            }
            SessionEvent::SignedIn(expiry) | SessionEvent::Renewed(expiry) => Self {
                expiry: Some(expiry),
                asked: Asked::default(),
                has_code: false,
                failure: None,
                called_at,
                tokens_issued_at: Some(at),
                ..next
            },
            SessionEvent::Refused(failure) | SessionEvent::Lost(failure) => {
                Self { failure: Some(failure), asked: Asked::default(), has_code: false, ..next }
            }
            SessionEvent::EndRequested => Self { end_requested_at: Some(at), ..next },
            SessionEvent::Closed | SessionEvent::Revoked => {
                Self { end_requested_at: None, asked: Asked::default(), has_code: false, ..next }
            }
            SessionEvent::RenewalBegun | SessionEvent::RenewalPostponed => next,
        })
    }
}

#[cfg(test)]
mod tests;
