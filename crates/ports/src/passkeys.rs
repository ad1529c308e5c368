//! WebAuthn: registering passkeys, and asking for them.

use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::id::UserId;

/// Who registers a passkey.
#[derive(Debug, Clone)]
pub struct Registrant<'a> {
    /// The user; the authenticator keeps these bytes as user handle.
    pub user_id: UserId,
    /// The name by which the person knows the account, usually the e-mail address.
    pub account_name: &'a str,
    /// The name shown.
    pub display_name: &'a str,
    /// Credentials the user has already; the authenticator is asked not to make another one of them.
    pub exclude: Vec<Vec<u8>>,
}

/// A registration, or a question for a passkey, that was begun.
#[derive(Debug, Clone)]
pub struct PasskeyChallenge {
    /// The options for the browser, as JSON: `{"publicKey":…}`.
    pub options: String,
    /// The state to keep until it is finished, as JSON.
    pub state: String,
}

/// A credential that was made.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The authenticator's identifier of it.
    pub credential_id: Vec<u8>,
    /// What is kept to verify later sign-ins, as JSON.
    pub credential: String,
    /// Whether the authenticator says that it is backed up.
    pub backed_up: bool,
    /// What made it, where that is told.
    pub authenticator: Option<Aaguid>,
}

/// A passkey has proved its user.
#[derive(Debug, Clone)]
pub struct PasskeyProof {
    /// What is kept from now on to verify later answers, as JSON.
    pub credential: String,
    /// Whether the authenticator says that it is backed up now.
    pub backed_up: bool,
}

/// Why an answer was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// The answer is not what an authenticator sends.
    #[error("the credential is not the answer of a WebAuthn authenticator")]
    Malformed,
    /// It was made for another challenge, origin or relying party, by another passkey, or without user verification.
    #[error("the credential was not made for this challenge")]
    Refused,
    /// Its counter did not go up: a copy of the passkey has been used.
    #[error("the passkey has been copied: its counter did not go up")]
    Copied,
    /// The kept state does not parse, or the library refused our own input.
    #[error("the state of a passkey is unusable: {0}")]
    State(String),
}

/// The relying party's side of WebAuthn.
pub trait Passkeys: Send + Sync {
    /// Begins a registration: discoverable credential and user verification required.
    ///
    /// # Errors
    /// [`PasskeyError::State`] when the library refuses.
    fn begin(&self, registrant: &Registrant<'_>) -> Result<PasskeyChallenge, PasskeyError>;

    /// Finishes it with what the authenticator answered. The caller must have taken the state out of storage: the same
    /// answer passes on the same state every time.
    ///
    /// # Errors
    /// [`PasskeyError`] says what is wrong.
    fn finish(&self, state: &str, credential: &str) -> Result<Registered, PasskeyError>;

    /// Asks for any one of these kept credentials; without any, for whichever the person has for this site. The
    /// authenticator must verify the person, so that its answer counts as two factors.
    ///
    /// # Errors
    /// [`PasskeyError::State`] when the library refuses.
    fn ask(&self, kept: &[String]) -> Result<PasskeyChallenge, PasskeyError>;

    /// The identifier of the credential that an answer names. Nothing is proved by that.
    ///
    /// # Errors
    /// [`PasskeyError::Malformed`] when it is no answer.
    fn named_by(&self, answer: &str) -> Result<Vec<u8>, PasskeyError>;

    /// The user whose credential an answer says it is, as registered. Nothing is proved by that.
    ///
    /// # Errors
    /// [`PasskeyError::Malformed`] when it is no answer, or does not tell.
    fn user_named_by(&self, answer: &str) -> Result<UserId, PasskeyError>;

    /// Whether the answer proves the user of a kept credential. The caller must have taken the state out of storage: the
    /// same answer passes on the same state every time. Neither has the state a time at which it ends.
    ///
    /// # Errors
    /// [`PasskeyError`] says what is wrong.
    fn verify(&self, state: &str, answer: &str, kept: &str) -> Result<PasskeyProof, PasskeyError>;
}
