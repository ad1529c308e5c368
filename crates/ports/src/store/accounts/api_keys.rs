//! Reads of API keys.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::{ApiKey, PepperId, TokenDigest};
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::StoreResult;

/// A key with its owner and the owner's membership, as one read sees them.
#[derive(Debug, Clone)]
pub struct KeyRecord {
    /// The key.
    pub key: Seen<ApiKey>,
    /// Its owner.
    pub owner: Seen<User>,
    /// The owner's membership in the key's workspace.
    pub membership: Seen<Membership>,
}

/// A use of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUse {
    /// The key's workspace.
    pub workspace_id: WorkspaceId,
    /// The key.
    pub key_id: ApiKeyId,
    /// The time.
    pub at: Timestamp,
}

/// A key in a listing.
#[derive(Debug, Clone)]
pub struct ListedKey {
    /// The key.
    pub key: Seen<ApiKey>,
    /// The time of its last use, to the minute; absent until first use.
    pub last_used_at: Option<Timestamp>,
}

/// API keys.
#[async_trait]
pub trait ApiKeys: Send + Sync {
    /// Returns a key with the records that limit its rights.
    async fn find_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<KeyRecord>>;
    /// Returns a key of the workspace.
    async fn find(&self, scope: WorkspaceScope, id: ApiKeyId) -> StoreResult<Option<ListedKey>>;
    /// Returns the live keys of the workspace and the latest expired ones, the newest first; revoked ones are left out.
    async fn list(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<Vec<ListedKey>>;
    /// Returns the live keys that are bound to a membership, the oldest first.
    async fn list_of_member(&self, membership: &Membership, at: Timestamp) -> StoreResult<Vec<Seen<ApiKey>>>;
    /// Counts the keys that [`ApiKeys::list`] returns.
    async fn count(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64>;
    /// Counts the live keys of the workspace.
    async fn count_live(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64>;
    /// Records when keys were last used. It changes no version, and never moves a time back.
    async fn touch(&self, uses: &[KeyUse]) -> StoreResult<()>;
    /// Replaces the digest that was seen by one under the newest pepper. It changes no version, because the key stays the same for every
    /// decision upon it. A key that has another digest by now stays unchanged.
    async fn replace_digest(&self, key: &ApiKey, digest: TokenDigest, pepper: PepperId) -> StoreResult<()>;
}
