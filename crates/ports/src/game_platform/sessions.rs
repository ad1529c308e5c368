//! Signing trading accounts in at the game platform, and staying signed in.
//!
//! A sign-in is begun with login name and password. The platform may ask for a code or an approval. Then it issues two tokens: a short one for
//! calls, and a long one by which the short one is renewed. Only one node at a time calls this port for an account.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{Asked, Guard, TokenExpiry};
use tradepost_domain::trading::trade::PlatformUserId;

use crate::external::ExternalError;
use crate::game_platform::ConfirmationAnswer;
use crate::game_platform::social::SocialChange;

/// The result of a call about sessions.
pub type SessionResult<T> = Result<T, ExternalError<SessionRefusal>>;

/// The reason why the platform rejected a call. It changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionRefusal {
    /// It does not accept login name and password.
    #[error("the platform does not accept login name and password")]
    WrongPassword,
    /// It does not accept the code.
    #[error("the platform does not accept the code")]
    WrongCode,
    /// The approval was denied.
    #[error("the approval was denied")]
    ApprovalDenied,
    /// The sign-in has taken too long, and was forgotten.
    #[error("the sign-in has taken too long")]
    Expired,
    /// Another reason, in the platform's own words.
    #[error("{0}")]
    Other(String),
}

/// What an account signs in by.
#[derive(Debug, Clone)]
pub struct SignInAs {
    /// Its login name.
    pub login_name: SecretString,
    /// Its password.
    pub password: SecretString,
}

/// What a driver knows a sign-in by until it is over. [`Debug`](fmt::Debug) does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Attempt(pub String);

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Attempt")
    }
}

/// A sign-in that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    /// What the driver knows it by.
    pub attempt: Attempt,
    /// What the platform asks for; nothing where the tokens can be polled for at once.
    pub asked: Asked,
    /// The time between two polls.
    pub poll_every: Duration,
}

/// The tokens of a session. [`Debug`](fmt::Debug) does not show them.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// The account that is signed in.
    pub user: PlatformUserId,
    /// The token of calls.
    pub access: SecretString,
    /// The token by which it is renewed.
    pub refresh: SecretString,
    /// How long they are accepted.
    pub expiry: TokenExpiry,
}

impl PartialEq for Tokens {
    fn eq(&self, other: &Self) -> bool {
        let secrets =
            |tokens: &Self| [tokens.access.expose_secret().to_owned(), tokens.refresh.expose_secret().to_owned()];
        (self.user, self.expiry, secrets(self)) == (other.user, other.expiry, secrets(other))
    }
}

/// Signing in, renewing tokens and revoking them.
#[async_trait]
pub trait PlatformSessions: Send + Sync {
    /// Begins to sign an account in.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SessionRefusal::WrongPassword`]. [`RateLimited`](ExternalError::RateLimited) where the platform takes
    /// no further sign-in for a while. If it ends with [`Unknown`](ExternalError::Unknown), the platform may have sent a code.
    async fn begin(&self, who: &SignInAs) -> SessionResult<SignIn>;

    /// Gives a code that the platform asks for.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SessionRefusal::WrongCode`], after which another code can be given, or
    /// [`Expired`](SessionRefusal::Expired). If it ends with [`Unknown`](ExternalError::Unknown), the code may have been accepted: a poll shows
    /// that.
    async fn give_code(&self, attempt: &Attempt, guard: Guard, code: &SecretString) -> SessionResult<()>;

    /// Returns the tokens once the platform has what it asked for, and nothing before. They are issued once: if the answer is lost, the account
    /// is signed in again.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`SessionRefusal::ApprovalDenied`] or [`Expired`](SessionRefusal::Expired).
    async fn poll(&self, attempt: &Attempt) -> SessionResult<Option<Tokens>>;

    /// Renews the access token, and the refresh token too where `also_refresh` says so. The former refresh token is not accepted after its
    /// renewal.
    ///
    /// # Errors
    /// [`ExternalError`]; [`AuthLost`](ExternalError::AuthLost) where the refresh token is not accepted. If it ends with
    /// [`Unknown`](ExternalError::Unknown) and the refresh token was to be renewed, it may have been.
    async fn renew(&self, tokens: &Tokens, also_refresh: bool) -> SessionResult<Tokens>;

    /// Ends the session at the platform: both tokens are no longer accepted. A repeated call changes nothing.
    ///
    /// # Errors
    /// [`ExternalError`]; [`AuthLost`](ExternalError::AuthLost) where they are not accepted already.
    async fn revoke(&self, tokens: &Tokens) -> SessionResult<()>;
}

/// What a call about mobile confirmations is for. Its key is made for it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConfirmationTag {
    /// It lists those that wait.
    List,
    /// It allows one.
    Allow,
    /// It denies one.
    Deny,
}

impl ConfirmationTag {
    /// Returns the word that is signed with the time, and that the call names.
    pub const fn word(self) -> &'static str {
        match self {
            Self::List => "conf",
            Self::Allow => "allow",
            Self::Deny => "cancel",
        }
    }
}

impl From<ConfirmationAnswer> for ConfirmationTag {
    fn from(answer: ConfirmationAnswer) -> Self {
        match answer {
            ConfirmationAnswer::Allow => Self::Allow,
            ConfirmationAnswer::Deny => Self::Deny,
        }
    }
}

/// What signs one call about the mobile confirmations of an account, at one time. [`Debug`](fmt::Debug) does not show it.
#[derive(Clone)]
pub struct ConfirmationKey {
    /// What the platform knows the mobile authenticator by.
    pub device_id: String,
    /// The base 64 of the HMAC-SHA-1 of that time and the word of the call, by the identity secret of the account.
    pub key: SecretString,
}

impl fmt::Debug for ConfirmationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConfirmationKey")
    }
}

/// The answer to a confirmation for which a driver wants a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerToSign {
    /// The account.
    pub account: PlatformUserId,
    /// The platform's id of the confirmation.
    pub confirmation: ExternalId,
    /// The answer.
    pub answer: ConfirmationAnswer,
    /// The time of the platform at which it is given.
    pub at: Timestamp,
}

/// Where a driver finds the access token of an account, and what a person lets it do. It is read again for each call: the engine renews the
/// one, and a person withdraws the other.
#[async_trait]
pub trait TokenVault: Send + Sync {
    /// Returns the access token of the account's session; nothing without a session that works.
    ///
    /// # Errors
    /// [`VaultUnavailable`]: the call was not made, and can be tried later.
    async fn access_token(&self, account: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable>;

    /// Returns what lists the account's confirmations at a time of the platform; nothing for an account whose identity secret is not stored,
    /// and from a vault that makes no keys. The identity secret itself never leaves the operations.
    ///
    /// # Errors
    /// [`VaultUnavailable`]: the call was not made, and can be tried later.
    async fn confirmation_key(
        &self,
        _: PlatformUserId,
        _: Timestamp,
    ) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        Ok(None)
    }

    /// Returns whether a person lets the account give items. A driver of a real platform changes no offer, confirmation or trade URL of it
    /// otherwise.
    ///
    /// # Errors
    /// [`VaultUnavailable`]: the call was not made, and can be tried later.
    async fn may_give(&self, _: PlatformUserId) -> Result<bool, VaultUnavailable> {
        Ok(false)
    }

    /// Returns whether it is on record that a change of friends or chats is made now: a person asked for it, the engine began it, and the chat
    /// of the account is enabled for what is about one. A driver of a real platform makes no other change of them.
    ///
    /// # Errors
    /// [`VaultUnavailable`]: the call was not made, and can be tried later.
    async fn may_change(&self, _: PlatformUserId, _: &SocialChange) -> Result<bool, VaultUnavailable> {
        Ok(false)
    }

    /// Returns what gives one answer to one confirmation; nothing unless it is on record that this answer is given now and a person lets the
    /// account give items, and for an account whose identity secret is not stored.
    ///
    /// # Errors
    /// [`VaultUnavailable`]: the call was not made, and can be tried later.
    async fn answer_key(&self, _: &AnswerToSign) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        Ok(None)
    }
}

/// The tokens cannot be read at present.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the tokens of trading accounts cannot be read at present: {0}")]
pub struct VaultUnavailable(pub String);
