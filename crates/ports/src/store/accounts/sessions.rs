//! Reads of sessions and of sign-ins that are not complete.

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::session::Session;
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn};
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{ChallengeId, SessionId, UserId};
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

/// Sign-ins and sessions of users. Not of any workspace.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Returns a sign-in that waits for a second factor.
    async fn find_pending_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PendingSignIn>>>;
    /// Returns the sign-ins of a user that wait for a second factor, expired ones included, the oldest first.
    async fn list_pending_sign_ins(&self, user: UserId) -> StoreResult<Vec<Seen<PendingSignIn>>>;
    /// Returns a question for a passkey, of any user.
    async fn find_passkey_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PasskeySignIn>>>;
    /// Returns questions for a passkey that were asked before a time, at most `most`, the oldest first.
    async fn list_passkey_sign_ins_before(&self, at: Timestamp, most: u16) -> StoreResult<Vec<Seen<PasskeySignIn>>>;
    /// Returns a session with the records that limit its rights, whether it is over or not.
    async fn find_session_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<SessionRecord>>;
    /// Returns the sessions of a user, those that are over included, the oldest first.
    async fn list_sessions(&self, user: UserId) -> StoreResult<Vec<ListedSession>>;
    /// Records when sessions were last used. It changes no version, and never moves a time back.
    async fn touch_sessions(&self, uses: &[SessionUse]) -> StoreResult<()>;
}
