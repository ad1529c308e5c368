//! Reads of sessions and of sign-ins that are not complete.

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{SessionId, UserId};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::StoreResult;

/// A session with its user and the user's memberships, as one read sees them.
#[derive(Debug, Clone)]
pub struct SessionRecord {
    /// The session.
    pub session: ListedSession,
    /// The user that signed in.
    pub user: Seen<User>,
    /// The user's live memberships, in any workspace.
    pub memberships: Vec<Seen<Membership>>,
}

/// A session in a listing.
#[derive(Debug, Clone)]
pub struct ListedSession {
    /// The session.
    pub session: Seen<Session>,
    /// The time of its last use, to the minute; absent until first use.
    pub last_seen_at: Option<Timestamp>,
}

/// A use of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionUse {
    /// The session's user.
    pub user_id: UserId,
    /// The session.
    pub session_id: SessionId,
    /// The time.
    pub at: Timestamp,
}

/// Sessions of users.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Returns a session with the records that limit its rights, whether it is over or not.
    async fn find_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<SessionRecord>>;
    /// Returns the sessions of a user, those that are over included, the oldest first.
    async fn list(&self, user: UserId) -> StoreResult<Vec<ListedSession>>;
    /// Records when sessions were last used. It changes no version, and never moves a time back.
    async fn touch(&self, uses: &[SessionUse]) -> StoreResult<()>;
}
