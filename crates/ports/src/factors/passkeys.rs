//! WebAuthn: the registration of passkeys, and questions for them.

use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::id::UserId;

/// The user that registers a passkey.
#[derive(Debug, Clone)]
pub struct Registrant<'a> {
    /// The user; the authenticator keeps these bytes as user handle.
    pub user_id: UserId,
    /// The name by which the user knows the account, usually the e-mail address.
    pub account_name: &'a str,
    /// The name shown.
    pub display_name: &'a str,
    /// Credentials that the user has already. The server asks the authenticator not to create another one of them.
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

/// A newly created credential.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The authenticator's identifier of it.
    pub credential_id: Vec<u8>,
    /// The data to keep to verify later sign-ins, as JSON.
    pub credential: String,
    /// Whether the authenticator reports that it is backed up.
    pub backed_up: bool,
    /// The authenticator that created it, if that is reported.
    pub authenticator: Option<Aaguid>,
}

/// A passkey has proved its user.
#[derive(Debug, Clone)]
pub struct PasskeyProof {
    /// The data to keep from now on to verify later answers, as JSON.
    pub credential: String,
    /// Whether the authenticator reports that it is backed up now.
    pub backed_up: bool,
}

/// The reason why an answer was rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// The answer does not have the form that an authenticator sends.
    #[error("the credential is not the answer of a WebAuthn authenticator")]
    Malformed,
    /// It was made for another challenge, origin or relying party, by another passkey, or without user verification.
    #[error("the credential was not made for this challenge")]
    Refused,
    /// Its counter did not go up: a copy of the passkey has been used.
    #[error("the passkey has been copied: its counter did not go up")]
    Copied,
    /// The kept state does not parse, or the library rejected our own input.
    #[error("the state of a passkey is unusable: {0}")]
    State(String),
}

/// The relying party's side of WebAuthn.
pub trait Passkeys: Send + Sync {
    /// Returns the origins of pages on which passkeys work, such as `https://trade.example.com`.
    fn origins(&self) -> Vec<String>;

    /// Begins a registration: discoverable credential and user verification required.
    ///
    /// # Errors
    /// [`PasskeyError::State`] when the library fails.
    fn begin(&self, registrant: &Registrant<'_>) -> Result<PasskeyChallenge, PasskeyError>;

    /// Finishes it with the authenticator's answer. The caller must have removed the state from storage: the same answer passes on the same
    /// state every time.
    ///
    /// # Errors
    /// [`PasskeyError`] with the problem.
    fn finish(&self, state: &str, credential: &str) -> Result<Registered, PasskeyError>;

    /// Asks for any one of these kept credentials; without any, for any credential that the user has for this site. The authenticator must
    /// verify the user, so that its answer counts as two factors.
    ///
    /// # Errors
    /// [`PasskeyError::State`] when the library fails.
    fn ask(&self, kept: &[String]) -> Result<PasskeyChallenge, PasskeyError>;

    /// Returns the identifier of the credential that an answer names. It proves nothing.
    ///
    /// # Errors
    /// [`PasskeyError::Malformed`] when it does not have the form of an answer.
    fn named_by(&self, answer: &str) -> Result<Vec<u8>, PasskeyError>;

    /// Returns the user that an answer names as the owner of its credential, as registered. It proves nothing.
    ///
    /// # Errors
    /// [`PasskeyError::Malformed`] when it does not have the form of an answer, or names no user.
    fn user_named_by(&self, answer: &str) -> Result<UserId, PasskeyError>;

    /// Verifies that the answer proves the user of a kept credential. The caller must have removed the state from storage: the same answer
    /// passes on the same state every time. The state has no expiry either.
    ///
    /// # Errors
    /// [`PasskeyError`] with the problem.
    fn verify(&self, state: &str, answer: &str, kept: &str) -> Result<PasskeyProof, PasskeyError>;
}
