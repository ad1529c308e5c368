//! WebAuthn registration.

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

/// A registration that was begun.
#[derive(Debug, Clone)]
pub struct Begun {
    /// The creation options for the browser, as JSON: `{"publicKey":…}`.
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
}

/// Why a registration was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// The answer is not what an authenticator sends.
    #[error("the credential is not a WebAuthn registration response")]
    Malformed,
    /// It was made for another challenge, origin or relying party, or without user verification.
    #[error("the credential was not made for this registration")]
    Refused,
    /// The kept state does not parse, or the library refused our own input.
    #[error("the registration's state is unusable: {0}")]
    State(String),
}

/// The relying party's side of WebAuthn.
pub trait Passkeys: Send + Sync {
    /// Begins a registration: discoverable credential and user verification required.
    ///
    /// # Errors
    /// [`PasskeyError::State`] when the library refuses.
    fn begin(&self, registrant: &Registrant<'_>) -> Result<Begun, PasskeyError>;

    /// Finishes it with what the authenticator answered. The caller must have taken the state out of storage: the same
    /// answer passes on the same state every time.
    ///
    /// # Errors
    /// [`PasskeyError`] says what is wrong.
    fn finish(&self, state: &str, credential: &str) -> Result<Registered, PasskeyError>;
}
