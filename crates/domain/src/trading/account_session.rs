//! A session of a trading account at its game platform: how the account was signed in, and as long as that lasts.
//!
//! An account has at most one live session. A person or the engine starts it. The platform asks for what proves who signs in (a code, or an
//! approval in its app), and answers with tokens, of which only the expiry is on record here. The tokens themselves are sealed elsewhere.

mod machine;

use ::time::Duration;

use crate::id::{AccountId, AccountSessionId, RecordKey, WorkspaceId};
use crate::names::names;
use crate::text::Text;
use crate::time::Timestamp;

pub use machine::{SessionEvent, SessionStepError};

/// The domain of an address to which a code was sent, as the platform shows it, 1 to 100 characters.
pub type EmailDomain = Text<100>;

/// How long a sign-in may take from its first begin. Later the platform has forgotten it.
pub const SIGN_IN_LASTS: Duration = Duration::minutes(10);
/// The time from its start until a sign-in ends, whenever it was begun.
const BEGIN_WITHIN: Duration = Duration::DAY;

/// How many codes are given for one sign-in. After the last one is refused, the sign-in has failed.
pub const MOST_CODES: u8 = 5;

/// How many of them the engine makes of the stored secret. A secret that makes two wrong codes makes no right one.
const MOST_MADE_CODES: u8 = 2;

/// How long an authenticator shows one code. The engine gives none twice.
const CODE_LASTS: Duration = Duration::seconds(30);

/// After a session has ended by itself, the engine signs the account in again at most this often in 24 hours.
pub const AUTOMATIC_STARTS_A_DAY: usize = 3;

/// The least time between two sign-ins of an account that the engine starts.
const AUTOMATIC_START_SPACING: Duration = Duration::minutes(15);

/// The least time between two calls that begin one sign-in: each may mail a code.
pub const BEGIN_SPACING: Duration = Duration::minutes(2);

/// The least time between two calls that revoke the tokens of one session.
pub const REVOKE_SPACING: Duration = Duration::MINUTE;

/// The status of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionStatus {
    /// The account is being signed in.
    Starting = 1,
    /// The platform waits for a code that only a person can give.
    AwaitingCode = 2,
    /// The platform waits for an approval in its app or by a link in a mail.
    AwaitingApproval = 3,
    /// It works.
    Active = 4,
    /// It works, and its tokens are being renewed.
    Renewing = 5,
    /// The platform no longer accepts it.
    Expired = 6,
    /// Final: the account was not signed in.
    Failed = 7,
    /// Final: the platform has revoked it, on request or by itself.
    Revoked = 8,
    /// Final: it was ended here, or another one follows it.
    Closed = 9,
}

names! { SessionStatus, "status of an account's session":
    Starting => "STARTING",
    AwaitingCode => "AWAITING_CODE",
    AwaitingApproval => "AWAITING_APPROVAL",
    Active => "ACTIVE",
    Renewing => "RENEWING",
    Expired => "EXPIRED",
    Failed => "FAILED",
    Revoked => "REVOKED",
    Closed => "CLOSED",
}

impl SessionStatus {
    /// Whether nothing follows.
    pub const fn is_terminal(self) -> bool {
        match self {
            Self::Failed | Self::Revoked | Self::Closed => true,
            Self::Starting
            | Self::AwaitingCode
            | Self::AwaitingApproval
            | Self::Active
            | Self::Renewing
            | Self::Expired => false,
        }
    }

    /// Whether the account is being signed in.
    pub const fn is_signing_in(self) -> bool {
        matches!(self, Self::Starting | Self::AwaitingCode | Self::AwaitingApproval)
    }

    /// Whether the platform accepts its tokens.
    pub const fn works(self) -> bool {
        matches!(self, Self::Active | Self::Renewing)
    }
}

/// What the platform asks of the person who signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guard {
    /// A code that it has mailed.
    EmailCode = 1,
    /// A code of the mobile authenticator.
    DeviceCode = 2,
    /// An approval in its app.
    DeviceApproval = 3,
    /// The link in a mail.
    EmailApproval = 4,
}

names! { Guard, "guard of a sign-in":
    EmailCode => "EMAIL_CODE",
    DeviceCode => "DEVICE_CODE",
    DeviceApproval => "DEVICE_APPROVAL",
    EmailApproval => "EMAIL_APPROVAL",
}

impl Guard {
    /// Whether a code answers it.
    pub const fn takes_code(self) -> bool {
        matches!(self, Self::EmailCode | Self::DeviceCode)
    }
}

/// Why a session was not started, or ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionFailure {
    /// The platform does not accept login name and password. They are tried again only when a person starts a session.
    WrongPassword = 1,
    /// It does not accept the code.
    WrongCode = 2,
    /// It takes no further sign-in for a while.
    TooManyAttempts = 3,
    /// The approval was denied.
    ApprovalDenied = 4,
    /// Nothing was answered within [`SIGN_IN_LASTS`], or the tokens are too old.
    Expired = 5,
    /// The tokens are those of another account.
    OtherAccount = 6,
    /// The platform does not answer.
    PlatformDown = 7,
    /// No login name and password are stored.
    NoSecrets = 8,
}

names! { SessionFailure, "failure of a session":
    WrongPassword => "WRONG_PASSWORD",
    WrongCode => "WRONG_CODE",
    TooManyAttempts => "TOO_MANY_ATTEMPTS",
    ApprovalDenied => "APPROVAL_DENIED",
    Expired => "EXPIRED",
    OtherAccount => "OTHER_ACCOUNT",
    PlatformDown => "PLATFORM_DOWN",
    NoSecrets => "NO_SECRETS",
}

impl SessionFailure {
    /// Whether the engine may try to sign the account in again by itself.
    pub const fn is_temporary(self) -> bool {
        match self {
            Self::WrongCode | Self::TooManyAttempts | Self::Expired | Self::PlatformDown => true,
            Self::WrongPassword | Self::ApprovalDenied | Self::OtherAccount | Self::NoSecrets => false,
        }
    }
}

/// What the platform asks for before it signs the account in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asked {
    /// Any one of these suffices.
    pub guards: Vec<Guard>,
    /// The domain of the address to which a code or a link was sent.
    pub email_domain: Option<EmailDomain>,
}

/// How long tokens are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenExpiry {
    /// The end of the access token.
    pub access: Timestamp,
    /// The end of the refresh token.
    pub refresh: Timestamp,
}

/// A session of a trading account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSession {
    /// Its own id.
    pub id: AccountSessionId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_id: AccountId,
    /// The current status.
    pub status: SessionStatus,
    /// Whether codes are made from the stored secret of the authenticator.
    pub uses_stored_code: bool,
    /// Whether the engine started it.
    pub is_automatic: bool,
    /// What the platform asks for while it waits.
    pub asked: Asked,
    /// How often a code was given.
    pub codes_given: u8,
    /// When the last code was given.
    pub code_given_at: Option<Timestamp>,
    /// Whether a code of a person waits for the engine, which gives it to the platform.
    pub has_code: bool,
    /// When its tokens end; `None` until the account was signed in.
    pub expiry: Option<TokenExpiry>,
    /// Why it failed or expired.
    pub failure: Option<SessionFailure>,
    /// When a person asked the engine to revoke its tokens, with which it ends.
    pub end_requested_at: Option<Timestamp>,
    /// When the engine last announced a call of the platform that begins the sign-in or revokes the tokens; `None` once it was signed in. Of
    /// two nodes that want to make the call, the one whose announcement is committed makes it.
    pub called_at: Option<Timestamp>,
    /// When its tokens were last issued or renewed.
    pub tokens_issued_at: Option<Timestamp>,
    /// When it was started.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A stored session breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a session that is {status} breaks a rule: {rule}")]
pub struct CorruptSession {
    /// The stored status.
    pub status: SessionStatus,
    /// The rule.
    pub rule: &'static str,
}

impl AccountSession {
    /// Begins to sign an account in.
    pub fn start(
        RecordKey { workspace_id, id }: RecordKey<AccountSessionId>,
        account_id: AccountId,
        Start { uses_stored_code, is_automatic }: Start,
        at: Timestamp,
    ) -> Self {
        Self {
            id,
            workspace_id,
            account_id,
            status: SessionStatus::Starting,
            uses_stored_code,
            is_automatic,
            asked: Asked::default(),
            codes_given: 0,
            code_given_at: None,
            has_code: false,
            expiry: None,
            failure: None,
            end_requested_at: None,
            called_at: None,
            tokens_issued_at: None,
            created_at: at,
            updated_at: at,
        }
    }

    /// Whether something can still come of it.
    pub const fn is_live(&self) -> bool {
        !self.status.is_terminal()
    }

    /// Whether the sign-in has taken too long: ten minutes from its first begin by this engine, `begun_for` ago. One that can be begun here has a
    /// day in all, because sign-ins wait for each other, a process that starts again begins them again, and the time of a simulated market
    /// passes in steps of more than ten minutes.
    pub fn is_late(&self, now: Timestamp, can_begin: bool, begun_for: Option<Duration>) -> bool {
        let lasts = if can_begin { BEGIN_WITHIN } else { SIGN_IN_LASTS };
        let is_over = begun_for.is_some_and(|begun_for| begun_for >= SIGN_IN_LASTS);
        self.status.is_signing_in() && (is_over || now.since(self.created_at) >= lasts)
    }

    /// Whether the platform may be called now to begin the sign-in, or to revoke the tokens of a session whose end was asked for: no process has
    /// announced that call lately.
    pub fn may_call(&self, now: Timestamp) -> bool {
        let spacing = if self.status.works() { REVOKE_SPACING } else { BEGIN_SPACING };
        let is_wanted = self.status.is_signing_in() || (self.status.works() && self.end_requested_at.is_some());
        is_wanted && self.called_at.is_none_or(|at| now.since(at) >= spacing)
    }

    /// The guard that a code answers, while one is waited for.
    pub fn code_guard(&self) -> Option<Guard> {
        let guards = (self.status == SessionStatus::AwaitingCode).then_some(&self.asked.guards)?;
        guards.iter().copied().find(|guard| guard.takes_code())
    }

    /// Whether the engine makes a code of the stored secret now.
    pub fn makes_code(&self, now: Timestamp) -> bool {
        self.uses_stored_code
            && self.code_guard() == Some(Guard::DeviceCode)
            && self.codes_given < MOST_MADE_CODES
            && self.code_given_at.is_none_or(|given| now.since(given) >= CODE_LASTS)
    }

    /// Takes a session back from a store.
    ///
    /// # Errors
    /// [`CorruptSession`] when the parts contradict each other.
    pub fn checked(self) -> Result<Self, CorruptSession> {
        use SessionStatus as Is;
        let rules = [
            (!self.status.works() || self.expiry.is_some(), "what works has tokens"),
            ((self.status == Is::AwaitingCode) <= !self.asked.guards.is_empty(), "a code is asked for by a guard"),
            (self.has_code <= (self.status == Is::Starting), "a code waits only for a sign-in"),
            ((self.status == Is::Failed) <= self.failure.is_some(), "a failure has its reason"),
            (self.created_at <= self.updated_at, "it is not changed before it is made"),
        ];
        match rules.into_iter().find(|(kept, _)| !kept) {
            Some((_, rule)) => Err(CorruptSession { status: self.status, rule }),
            None => Ok(self),
        }
    }
}

/// Whether the engine may sign an account in again by itself, by the sessions that the account had, the latest first. Those of the last 24
/// hours suffice, and the latest one. After a session that a person ended, and after one that failed for a reason that a person has to settle,
/// only a person starts another one.
pub fn may_start_again(latest: &[AccountSession], now: Timestamp) -> bool {
    let Some(last) = latest.first() else { return true };
    let has_ended_by_itself =
        matches!(last.status, SessionStatus::Expired | SessionStatus::Failed) && last.end_requested_at.is_none();
    // A password stays wrong until an account was signed in.
    let since_signed_in = latest.iter().take_while(|session| session.expiry.is_none());
    let is_password_wrong =
        since_signed_in.into_iter().any(|session| session.failure == Some(SessionFailure::WrongPassword));
    let is_hopeless = is_password_wrong || last.failure.is_some_and(|failure| !failure.is_temporary());
    let automatic = || latest.iter().filter(|session| session.is_automatic);
    let is_of_today = |session: &&AccountSession| now.since(session.created_at) < Duration::DAY;
    let is_too_soon = automatic().any(|session| now.since(session.created_at) < AUTOMATIC_START_SPACING);
    has_ended_by_itself
        && !is_hopeless
        && !is_too_soon
        && automatic().filter(is_of_today).count() < AUTOMATIC_STARTS_A_DAY
}

/// How a session is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Whether codes are made from the stored secret of the authenticator.
    pub uses_stored_code: bool,
    /// Whether the engine starts it.
    pub is_automatic: bool,
}
