//! Passkeys: WebAuthn credentials of a user, and the registration that makes one. The protocol itself is a port.

use time::Duration;

use crate::accounts::authenticator::Aaguid;
use crate::id::{PasskeyId, UserId};
use crate::text::Name;
use crate::time::Timestamp;

/// Most passkeys of one user.
pub const MOST: usize = 20;
/// How long a registration that was begun may be finished.
pub const REGISTRATION_LIFE: Duration = Duration::minutes(5);

/// A registered credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// Identifier.
    pub id: PasskeyId,
    /// Whose it is.
    pub user_id: UserId,
    /// Label given by the user.
    pub name: Name,
    /// The authenticator's identifier of the credential, unique over all users.
    pub credential_id: Vec<u8>,
    /// The credential as the WebAuthn library keeps it, as JSON.
    pub credential: String,
    /// Whether the authenticator says that it is backed up.
    pub backed_up: bool,
    /// The authenticator that created it, if it was reported.
    pub authenticator: Option<Aaguid>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it last proved its user; absent until then.
    pub last_used_at: Option<Timestamp>,
    /// When it was found to be copied; it no longer authenticates.
    pub disabled_at: Option<Timestamp>,
}

impl Passkey {
    /// Whether it proves its user.
    pub const fn is_usable(&self) -> bool {
        self.disabled_at.is_none()
    }

    /// The passkey after it proved its user, with the credential as it is from now on.
    #[must_use]
    pub fn used(self, credential: String, backed_up: bool, at: Timestamp) -> Self {
        Self { credential, backed_up, last_used_at: Some(at), ..self }
    }

    /// The passkey after it was found to be copied.
    #[must_use]
    pub fn disabled(self, at: Timestamp) -> Self {
        Self { disabled_at: Some(at), ..self }
    }
}

/// A registration that was begun. A user has at most one; a new one replaces the old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyRegistration {
    /// The registering user.
    pub user_id: UserId,
    /// Label for the passkey to be.
    pub name: Name,
    /// The WebAuthn library's state, as JSON; it holds the challenge.
    pub state: String,
    /// When it was begun.
    pub created_at: Timestamp,
}

impl PasskeyRegistration {
    /// Whether it can be finished at this time.
    pub fn is_live(&self, at: Timestamp) -> bool {
        at < self.created_at.plus(REGISTRATION_LIFE)
    }
}
