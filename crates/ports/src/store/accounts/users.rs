//! Reads of users, of their linked identities and of the links that were mailed to them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::id::UserId;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Users and the proofs of their identity. Not of any workspace.
#[async_trait]
pub trait Users: Send + Sync {
    /// Returns a user.
    async fn find_user(&self, id: UserId) -> StoreResult<Option<Seen<User>>>;
    /// Returns several users, in no order; missing ones are left out.
    async fn find_users(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>>;
    /// Returns the user with this verified address.
    async fn find_user_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>>;
    /// Returns whether there is any user at all.
    async fn has_users(&self) -> StoreResult<bool>;
    /// Returns several users, in no order, as far as the viewer may see them: the viewer, and the accepted members of the workspaces.
    async fn find_fellows(
        &self,
        viewer: UserId,
        scopes: &[WorkspaceScope],
        ids: &[UserId],
    ) -> StoreResult<Vec<Seen<User>>>;
    /// Counts the identities of other platforms that are linked to the user.
    async fn count_linked_identities(&self, user: UserId) -> StoreResult<i64>;
    /// Returns the identities of other platforms that are linked to the user, the oldest first.
    async fn list_linked_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>>;
    /// Returns the link for this purpose that was mailed to a user.
    async fn find_own_email_link(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
    /// Returns a link of any user by the digest of its token.
    async fn find_email_link(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>>;
    /// Returns the latest link for this purpose that was mailed to an address, of any user.
    async fn find_email_link_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
}
