//! Linking: proving that an identity of another platform belongs to a user, to link it to an account or to sign in with it.
//!
//! A started link is open for ten minutes and used once. It belongs to the user who started it by one key or session, or to a
//! caller who has not signed in yet. How a platform is asked is not known here.

mod provider;

use time::Duration;

use crate::accounts::principal_id::PrincipalId;
use crate::id::{AccountLinkId, UserId};
use crate::time::Timestamp;

pub use provider::Provider;

/// How long a link that was begun can be finished.
pub const LIFE: Duration = Duration::minutes(10);
/// How long an accepted answer is remembered, so that it works once. The platform's clock may be ahead of ours, so that an answer can be tried
/// for somewhat longer than [`LIFE`].
pub const ANSWERS_KEPT_FOR: Duration = Duration::minutes(20);
/// Most identities of one user.
pub const MOST: usize = 10;

/// What a link was begun for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To link the identity to this user.
    Link {
        /// The user.
        user_id: UserId,
        /// The key or session by which they called; absent where the process vouched for them.
        principal: Option<PrincipalId>,
    },
    /// To sign in as the owner of the identity.
    SignIn,
}

/// A link that was begun and not finished yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountLink {
    /// Identifier, which the answer names.
    pub id: AccountLinkId,
    /// The platform that is asked.
    pub provider: Provider,
    /// For what.
    pub purpose: Purpose,
    /// What the platform's answer is checked against, sealed.
    pub sealed_state: Vec<u8>,
    /// When it was begun.
    pub created_at: Timestamp,
}

impl AccountLink {
    /// Whether this caller can finish it at this time for this purpose.
    pub fn is_open(&self, purpose: Purpose, at: Timestamp) -> bool {
        self.purpose == purpose && at < self.created_at.plus(LIFE)
    }
}

/// An answer of a platform that was accepted. The same answer is never accepted again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsumedAssertion {
    /// Digest of what makes the answer unique.
    pub digest: [u8; 16],
    /// When it was accepted.
    pub spent_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{ApiKeyId, SessionId};

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    fn link(purpose: Purpose) -> AccountLink {
        let id = AccountLinkId::from_bytes([1; 16]);
        AccountLink { id, provider: Provider::Steam, purpose, sealed_state: Vec::new(), created_at: at(0) }
    }

    #[test]
    fn a_link_is_open_for_ten_minutes() {
        let link = link(Purpose::SignIn);
        assert!(link.is_open(Purpose::SignIn, at(9)));
        assert!(!link.is_open(Purpose::SignIn, at(10)));
    }

    #[test]
    fn a_link_is_finished_by_who_began_it_and_for_what_it_was_begun() {
        let user = |byte| UserId::from_bytes([byte; 16]);
        let key = PrincipalId::Key(ApiKeyId::from_bytes([3; 16]));
        let own = Purpose::Link { user_id: user(2), principal: Some(key) };
        let others = [
            Purpose::SignIn,
            Purpose::Link { user_id: user(9), principal: Some(key) },
            Purpose::Link { user_id: user(2), principal: None },
            Purpose::Link { user_id: user(2), principal: Some(PrincipalId::Session(SessionId::from_bytes([3; 16]))) },
        ];
        assert!(link(own).is_open(own, at(1)));
        for other in others {
            assert!(!link(own).is_open(other, at(1)), "{other:?}");
            assert!(!link(other).is_open(own, at(1)), "{other:?}");
        }
    }
}
