//! The error of an operation as the caller sees it: one of eight codes, a stable reason, and a sentence.
//!
//! The sentence is safe to show. What went wrong inside stays in `source`, for the log; a caller reads "internal error".

pub(crate) mod reason;

use tradepost_domain::accounts::access::{Denied, NoEntry, NotAuthenticated};
use tradepost_ports::passwords::HasherBusy;
use tradepost_ports::store::StoreError;

use crate::{Charge, Reason};

/// The codes of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The request is malformed.
    InvalidArgument,
    /// The request cannot be carried out in the current state.
    FailedPrecondition,
    /// No valid credential.
    Unauthenticated,
    /// The credential is good, and not for this.
    PermissionDenied,
    /// No such record in this workspace.
    NotFound,
    /// It exists already.
    AlreadyExists,
    /// Too much; slow down.
    ResourceExhausted,
    /// Our fault.
    Internal,
}

impl Code {
    /// Returns the name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalid_argument",
            Self::FailedPrecondition => "failed_precondition",
            Self::Unauthenticated => "unauthenticated",
            Self::PermissionDenied => "permission_denied",
            Self::NotFound => "not_found",
            Self::AlreadyExists => "already_exists",
            Self::ResourceExhausted => "resource_exhausted",
            Self::Internal => "internal",
        }
    }
}

/// Why an operation did not succeed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct OpError {
    /// One of eight codes.
    pub code: Code,
    /// A stable name of the case for programs, such as `MEMBERSHIP_NOT_PENDING`.
    pub reason: Reason,
    /// A sentence for people.
    pub message: String,
    /// The cause; for the log, never shown.
    #[source]
    pub source: Option<StoreError>,
    /// The limit that was reached, where one was.
    pub charge: Option<Box<Charge>>,
}

/// The result of an operation.
pub type OpResult<T> = Result<T, OpError>;

impl OpError {
    fn new(code: Code, reason: Reason, message: impl Into<String>) -> Self {
        Self { code, reason, message: message.into(), source: None, charge: None }
    }

    /// Returns an error for a malformed request; the sentence names the field.
    pub fn invalid_argument(reason: Reason, message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, reason, message)
    }

    /// Returns an error for a field of the request that breaks a rule.
    pub fn invalid_field(field: &str, rule: impl std::fmt::Display) -> Self {
        Self::invalid_argument(Reason::InvalidField, format!("{field} {rule}"))
    }

    /// Returns the same rejection, where the field that it names is within another one.
    pub(crate) fn within(self, place: &str) -> Self {
        if self.reason == Reason::InvalidField {
            return Self { message: format!("{place}.{}", self.message), ..self };
        }
        self
    }

    /// Returns an error for a call that the current state does not allow.
    pub fn failed_precondition(reason: Reason, message: impl Into<String>) -> Self {
        Self::new(Code::FailedPrecondition, reason, message)
    }

    /// Returns an error for a valid credential without the permission.
    pub fn permission_denied(reason: Reason, message: impl Into<String>) -> Self {
        Self::new(Code::PermissionDenied, reason, message)
    }

    /// Returns an error for a record that is not in this workspace. The words are the same whether it exists elsewhere or not.
    pub fn not_found(what: &'static str) -> Self {
        Self::new(Code::NotFound, Reason::NotFound, format!("{what} not found"))
    }

    /// Returns an error for a record that exists already.
    pub fn already_exists(reason: Reason, message: impl Into<String>) -> Self {
        Self::new(Code::AlreadyExists, reason, message)
    }

    /// Returns an error for an exceeded limit.
    pub fn resource_exhausted(reason: Reason, message: impl Into<String>) -> Self {
        Self::new(Code::ResourceExhausted, reason, message)
    }

    /// Returns an error for a rate limit that was reached.
    pub fn rate_limited(charge: Charge) -> Self {
        let wait = charge.verdict.wait;
        let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
        let message = format!("rate limit {} reached; try again in {seconds} s", charge.class.name());
        Self { charge: Some(Box::new(charge)), ..Self::resource_exhausted(Reason::RateLimited, message) }
    }

    /// Returns an error for an invalid credential, with one sentence for every cause.
    pub fn unauthenticated() -> Self {
        Self::new(
            Code::Unauthenticated,
            Reason::Unauthenticated,
            "no valid API key or session in the Authorization header",
        )
    }

    /// Returns an error for a part of the system that is unavailable; the caller may try again.
    pub fn outage(reason: Reason) -> Self {
        Self::new(Code::Internal, reason, "internal error")
    }

    /// Returns an error for a wrong address or password at sign-in, with one sentence for every cause.
    pub fn wrong_credentials() -> Self {
        Self::new(
            Code::Unauthenticated,
            Reason::WrongCredentials,
            "no account can be signed in to with this address and password",
        )
    }

    /// Returns an error for an identity of another platform that cannot sign in to its account.
    pub fn identity_refused() -> Self {
        Self::new(Code::Unauthenticated, Reason::WrongCredentials, "no account can be signed in to with this identity")
    }

    /// Returns an error for an impossible or unforeseen state.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self::from(StoreError::Bug(detail.into()))
    }

    /// Returns whether fresh reads may lead to another outcome.
    pub const fn is_conflict(&self) -> bool {
        matches!(self.source, Some(StoreError::Conflict))
    }
}

impl From<Denied> for OpError {
    fn from(_: Denied) -> Self {
        Self::permission_denied(Reason::PermissionDenied, "this API key or session is not allowed to do this here")
    }
}

impl From<NoEntry> for OpError {
    fn from(error: NoEntry) -> Self {
        match error {
            NoEntry::Denied(denied) => denied.into(),
            NoEntry::WorkspaceDeleted => {
                let message = "the workspace was deleted; its owner can restore it for 30 days";
                Self::failed_precondition(Reason::WorkspaceDeleted, message)
            }
        }
    }
}

impl From<NotAuthenticated> for OpError {
    fn from(_: NotAuthenticated) -> Self {
        Self::unauthenticated()
    }
}

impl From<HasherBusy> for OpError {
    fn from(_: HasherBusy) -> Self {
        Self::resource_exhausted(Reason::Busy, "too many password checks are waiting; try again in a few seconds")
    }
}

impl From<StoreError> for OpError {
    fn from(error: StoreError) -> Self {
        let plain = match &error {
            StoreError::Conflict => Self::failed_precondition(
                Reason::Conflict,
                "others kept changing the same record; read it again and retry",
            ),
            StoreError::CallerChanged => Self::unauthenticated(),
            StoreError::Overloaded => {
                Self::resource_exhausted(Reason::Overloaded, "too many writes are waiting; try again in a few seconds")
            }
            StoreError::Duplicate(_) => Self::already_exists(Reason::AlreadyExists, "this exists already"),
            StoreError::Unavailable(_) => Self::outage(Reason::StorageUnavailable),
            StoreError::Unknown(_) => Self::outage(Reason::OutcomeUnknown),
            StoreError::LinkRefused | StoreError::Corrupt(_) | StoreError::Bug(_) => Self::outage(Reason::Internal),
        };
        Self { source: Some(error), ..plain }
    }
}
