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

/// Users and what proves who they are. Not of any workspace.
#[async_trait]
pub trait Users: Send + Sync {
    /// A user.
    async fn find_user(&self, id: UserId) -> StoreResult<Option<Seen<User>>>;
    /// Several users, in no order; those that are not there are left out.
    async fn find_users(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>>;
    /// The user with this verified address.
    async fn find_user_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>>;
    /// Whether there is any user at all.
    async fn has_users(&self) -> StoreResult<bool>;
    /// Several users, in no order, as far as the viewer may see them: the viewer, and the accepted members of the workspaces.
    async fn find_fellows(
        &self,
        viewer: UserId,
        scopes: &[WorkspaceScope],
        ids: &[UserId],
    ) -> StoreResult<Vec<Seen<User>>>;
    /// How many identities of other platforms are linked to the user.
    async fn count_linked_identities(&self, user: UserId) -> StoreResult<i64>;
    /// The identities of other platforms that are linked to the user, the oldest first.
    async fn list_linked_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>>;
    /// The link for this purpose that was mailed to a user.
    async fn find_own_email_link(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
    /// A link by the digest of its token, whosever it is.
    async fn find_email_link(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>>;
    /// The latest link for this purpose that was mailed to an address, whosever it is.
    async fn find_email_link_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>>;
}
