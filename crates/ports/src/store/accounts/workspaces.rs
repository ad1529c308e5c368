//! Reads of workspaces, memberships and API keys.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::{ApiKey, PepperId, TokenDigest};
use tradepost_domain::accounts::membership::{Membership, Status as MembershipStatus};
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::id::{ApiKeyId, MembershipId, OfMembership, UserId, WorkspaceId};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

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

/// A key in a listing.
#[derive(Debug, Clone)]
pub struct ListedKey {
    /// The key.
    pub key: Seen<ApiKey>,
    /// The time of its last use, to the minute; absent until first use.
    pub last_used_at: Option<Timestamp>,
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

/// Workspaces, memberships and keys.
#[async_trait]
pub trait Workspaces: Send + Sync {
    /// Returns the workspace that was entered.
    async fn find_workspace(&self, scope: WorkspaceScope) -> StoreResult<Option<Seen<Workspace>>>;
    /// Returns a membership of the workspace.
    async fn find_membership(&self, scope: WorkspaceScope, id: MembershipId) -> StoreResult<Option<Seen<Membership>>>;
    /// Returns several memberships of the workspace, in no order; missing ones are left out.
    async fn find_memberships(&self, scope: WorkspaceScope, ids: &[MembershipId])
    -> StoreResult<Vec<Seen<Membership>>>;
    /// Returns the live membership of a user in the workspace.
    async fn find_member(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Option<Seen<Membership>>>;
    /// Returns a membership, in any workspace, that is the user's or an invitation of the user's verified address.
    async fn find_own_membership(&self, user: &User, id: MembershipId) -> StoreResult<Option<Seen<Membership>>>;
    /// Returns the invitation with the digest of this token, into any workspace.
    async fn find_invitation(&self, token: &TokenDigest) -> StoreResult<Option<Seen<Membership>>>;
    /// Counts the accepted members of the workspace that have neither an authenticator app nor a usable passkey.
    async fn count_members_without_strong_factor(&self, scope: WorkspaceScope) -> StoreResult<i64>;
    /// Returns all live memberships of a user, in any workspace, the oldest first.
    async fn list_own_memberships(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>>;
    /// Returns all memberships that a user has or had, in any workspace, the oldest first.
    async fn list_every_membership(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>>;
    /// Returns the workspaces of which a user is an accepted member, the oldest first; deleted ones too, until they are removed.
    async fn list_own_workspaces(&self, user: UserId) -> StoreResult<Vec<Seen<Workspace>>>;
    /// Returns memberships of the workspace.
    async fn list_memberships(
        &self,
        scope: WorkspaceScope,
        status: Option<MembershipStatus>,
        page: PageRequest<OfMembership>,
    ) -> StoreResult<Page<OfMembership>>;
    /// Counts the memberships of a user over all workspaces by status, invitations of the verified address included.
    async fn count_own_memberships(&self, user: &User) -> StoreResult<Vec<(i16, i64)>>;
    /// Counts the memberships that a user has or had in the workspace, by status.
    async fn count_memberships_of(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Vec<(i16, i64)>>;
    /// Returns a key with the records that limit its rights.
    async fn find_key_by_digest(&self, digest: &TokenDigest) -> StoreResult<Option<KeyRecord>>;
    /// Returns a key of the workspace.
    async fn find_key(&self, scope: WorkspaceScope, id: ApiKeyId) -> StoreResult<Option<ListedKey>>;
    /// Returns the live keys of the workspace and the latest expired ones, the newest first; revoked ones are left out.
    async fn list_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<Vec<ListedKey>>;
    /// Returns the live keys that are bound to a membership, the oldest first.
    async fn list_member_keys(&self, membership: &Membership, at: Timestamp) -> StoreResult<Vec<Seen<ApiKey>>>;
    /// Counts the keys that [`Workspaces::list_keys`] returns.
    async fn count_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64>;
    /// Counts the live keys of the workspace.
    async fn count_live_keys(&self, scope: WorkspaceScope, at: Timestamp) -> StoreResult<i64>;
    /// Records when keys were last used. It changes no version, and never moves a time back.
    async fn touch_keys(&self, uses: &[KeyUse]) -> StoreResult<()>;
    /// Replaces the digest that was seen by one under the newest pepper. It changes no version, because the key stays the same for every
    /// decision upon it. A key that has another digest by now stays unchanged.
    async fn replace_key_digest(&self, key: &ApiKey, digest: TokenDigest, pepper: PepperId) -> StoreResult<()>;
}
