//! Reads of members and invitations.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::{Membership, Status as MembershipStatus};
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::{MembershipId, OfMembership, UserId};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Members of workspaces, and invitations.
#[async_trait]
pub trait Memberships: Send + Sync {
    /// Returns a membership of the workspace.
    async fn find(&self, scope: WorkspaceScope, id: MembershipId) -> StoreResult<Option<Seen<Membership>>>;
    /// Returns several memberships of the workspace, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[MembershipId]) -> StoreResult<Vec<Seen<Membership>>>;
    /// Returns the live membership of a user in the workspace.
    async fn find_member(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Option<Seen<Membership>>>;
    /// Returns a membership, in any workspace, that is the user's or an invitation of the user's verified address.
    async fn find_own(&self, user: &User, id: MembershipId) -> StoreResult<Option<Seen<Membership>>>;
    /// Returns the invitation with the digest of this token, into any workspace.
    async fn find_invitation(&self, token: &TokenDigest) -> StoreResult<Option<Seen<Membership>>>;
    /// Counts the accepted members of the workspace that have neither an authenticator app nor a usable passkey.
    async fn count_without_strong_factor(&self, scope: WorkspaceScope) -> StoreResult<i64>;
    /// Returns all live memberships of a user, in any workspace, the oldest first.
    async fn list_own(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>>;
    /// Returns all memberships that a user has or had, in any workspace, the oldest first.
    async fn list_all_of(&self, user: UserId) -> StoreResult<Vec<Seen<Membership>>>;
    /// Returns memberships of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        status: Option<MembershipStatus>,
        page: PageRequest<OfMembership>,
    ) -> StoreResult<Page<OfMembership>>;
    /// Counts the memberships of a user over all workspaces by status, invitations of the verified address included.
    async fn count_own(&self, user: &User) -> StoreResult<Vec<(i16, i64)>>;
    /// Counts the memberships that a user has or had in the workspace, by status.
    async fn count(&self, scope: WorkspaceScope, user: UserId) -> StoreResult<Vec<(i16, i64)>>;
}
