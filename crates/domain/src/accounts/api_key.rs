//! API keys: credentials of programs, bound to one workspace and owned by the user who made them.

mod changing;
mod ending;

use std::fmt;

use time::Duration;

use crate::accounts::policy::{Policy, PolicySet};
use crate::accounts::principal_id::PrincipalId;
use crate::id::{ApiKeyId, MembershipId, UserId, WorkspaceId};
use crate::network::Networks;
use crate::text::Name;
use crate::time::Timestamp;

pub use changing::{ChangeKeyError, Expiry, KeyChange, KeyChanger, LONGEST_OVERLAP, USUAL_OVERLAP};
pub use ending::next_reminder;

/// Most live keys of a workspace.
pub const MOST_LIVE: usize = 100;
/// How many expired keys a listing shows, the latest first.
pub const EXPIRED_SHOWN: usize = 100;
/// The furthest expiry that can be asked for.
pub const LONGEST_LIFE: Duration = Duration::days(3_650);

/// Keyed digest of a token. Only digests are stored; the token itself is shown once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenDigest(pub [u8; 32]);

impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenDigest(..)")
    }
}

/// Which pepper a digest was made under: a mark that follows from the pepper and gives nothing of it away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PepperId(pub i32);

/// A key as stored: everything but the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Identifier.
    pub id: ApiKeyId,
    /// The one workspace in which it works.
    pub workspace_id: WorkspaceId,
    /// Whose rights bound its own.
    pub owner_id: UserId,
    /// The owner's membership in the workspace.
    pub membership_id: MembershipId,
    /// Name for people.
    pub name: Name,
    /// The first 12 characters of the secret.
    pub prefix: String,
    /// Digest of the secret.
    pub digest: TokenDigest,
    /// The pepper of the digest; absent for keys made before that was written down.
    pub pepper: Option<PepperId>,
    /// What it may do, as far as its owner may.
    pub policies: PolicySet,
    /// From where it may be used.
    pub networks: Networks,
    /// From when on it is refused; absent when it does not expire.
    pub expires_at: Option<Timestamp>,
    /// When its owner is to be reminded next that it ends.
    pub remind_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The status of a key, as in transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStatus {
    /// It opens what it holds, until it expires.
    Live,
    /// The same, alongside the key that replaces it.
    Retired,
    /// It no longer authenticates.
    Revoked,
}

impl KeyStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Live, Self::Retired, Self::Revoked];

    /// The name, as in transitions.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "LIVE",
            Self::Retired => "RETIRED",
            Self::Revoked => "REVOKED",
        }
    }
}

/// Why a key cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CreateKeyError {
    /// It would hold more policies than its creator.
    #[error("a key cannot hold policies that its maker does not hold")]
    ExceedsMaker,
    /// `identity` was asked for through a key.
    #[error("the policy identity cannot be given by an API key")]
    IdentityByKey,
    /// The expiry is not in the future.
    #[error("expiresAt must lie in the future")]
    ExpiryInPast,
    /// The expiry is further away than [`LONGEST_LIFE`].
    #[error("expiresAt must lie within ten years")]
    ExpiryTooFar,
    /// The workspace lets no key live for so long.
    #[error("a key of this workspace ends within {0} days from when it is made; expiresAt must say when")]
    OutlivesLimit(u16),
}

/// The key is revoked already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key is revoked already")]
pub struct AlreadyRevoked;

impl ApiKey {
    /// Whether `maker` may make a key holding `policies` with the rights `rights`. A key never passes `identity` on.
    ///
    /// # Errors
    /// [`CreateKeyError`] says why not.
    pub fn may_hold(policies: PolicySet, maker: PrincipalId, rights: PolicySet) -> Result<(), CreateKeyError> {
        if policies.has(Policy::Identity) && matches!(maker, PrincipalId::Key(_)) {
            return Err(CreateKeyError::IdentityByKey);
        }
        if policies.is_subset_of(rights) { Ok(()) } else { Err(CreateKeyError::ExceedsMaker) }
    }

    /// Whether a key made at `at` may expire then.
    ///
    /// # Errors
    /// [`CreateKeyError`] says why not.
    pub fn may_expire(expires_at: Option<Timestamp>, at: Timestamp) -> Result<(), CreateKeyError> {
        match expires_at {
            Some(expiry) if expiry <= at => Err(CreateKeyError::ExpiryInPast),
            Some(expiry) if expiry > at.plus(LONGEST_LIFE) => Err(CreateKeyError::ExpiryTooFar),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether the key opens anything at this time.
    pub fn is_live(&self, at: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| at < expiry)
    }

    /// The key after revocation; there is no way back.
    ///
    /// # Errors
    /// [`AlreadyRevoked`] the second time.
    pub fn revoke(self, at: Timestamp) -> Result<Self, AlreadyRevoked> {
        match self.revoked_at {
            None => Ok(Self { revoked_at: Some(at), remind_at: None, ..self }),
            Some(_) => Err(AlreadyRevoked),
        }
    }
}
