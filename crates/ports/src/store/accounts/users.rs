//! Reads of users, of their linked identities and of the links that were mailed to them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Users.
#[async_trait]
pub trait Users: Send + Sync {
    /// Returns a user.
    async fn find(&self, id: UserId) -> StoreResult<Option<Seen<User>>>;
    /// Returns several users, in no order; missing ones are left out.
    async fn find_many(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>>;
    /// Returns the user with this verified address.
    async fn find_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>>;
    /// Returns whether there is any user at all.
    async fn has_any(&self) -> StoreResult<bool>;
    /// Returns several users, in no order, as far as the viewer may see them: the viewer, and the accepted and
    /// suspended members of the workspaces.
    async fn find_fellows(
        &self,
        viewer: UserId,
        scopes: &[WorkspaceScope],
        ids: &[UserId],
    ) -> StoreResult<Vec<Seen<User>>>;
}
