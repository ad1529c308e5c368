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
    /// Who signed in.
    pub user: Seen<User>,
    /// The user's live memberships, in whichever workspaces.
    pub memberships: Vec<Seen<Membership>>,
}

/// A session in a listing.
#[derive(Debug, Clone)]
pub struct ListedSession {
    /// The session.
    pub session: Seen<Session>,
    /// When it was last used, to the minute; absent until first use.
    pub last_seen_at: Option<Timestamp>,
}

/// A use of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionUse {
    /// The session's user.
    pub user_id: UserId,
    /// The session.
    pub session_id: SessionId,
    /// When.
    pub at: Timestamp,
}

/// People who sign in. Not of any workspace.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// A sign-in that waits for a second factor.
    async fn find_pending_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PendingSignIn>>>;
    /// The sign-ins of a user that wait for a second factor, expired ones included, the oldest first.
    async fn list_pending_sign_ins(&self, user: UserId) -> StoreResult<Vec<Seen<PendingSignIn>>>;
    /// A question for a passkey, whosever it is.
    async fn find_passkey_sign_in(&self, id: ChallengeId) -> StoreResult<Option<Seen<PasskeySignIn>>>;
    /// So many of those questions at most that were asked before a time, the oldest first.
    async fn list_passkey_sign_ins_before(&self, at: Timestamp, most: u16) -> StoreResult<Vec<Seen<PasskeySignIn>>>;
    /// A session with what bounds its rights, whether it is over or not.
    async fn find_session_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<SessionRecord>>;
    /// The sessions of a user, those that are over included, the oldest first.
    async fn list_sessions(&self, user: UserId) -> StoreResult<Vec<ListedSession>>;
    /// Notes when sessions were last used. Changes no version, and never moves a time back.
    async fn touch_sessions(&self, uses: &[SessionUse]) -> StoreResult<()>;
}
