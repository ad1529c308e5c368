//! Reads of linked identities and of links that a user began.

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::{AccountLink, Provider};
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::id::{AccountLinkId, UserId};
use tradepost_domain::text::Name;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Identities of other platforms, and begun links to them. Not of any workspace.
#[async_trait]
pub trait AccountLinks: Send + Sync {
    /// Returns a link that any user has begun.
    async fn find(&self, id: AccountLinkId) -> StoreResult<Option<Seen<AccountLink>>>;
    /// Returns an identity, of any user.
    async fn find_identity(&self, provider: Provider, subject: &Name) -> StoreResult<Option<Seen<LinkedIdentity>>>;
    /// Counts the identities of other platforms that are linked to the user.
    async fn count_identities(&self, user: UserId) -> StoreResult<i64>;
    /// Returns the identities of other platforms that are linked to the user, the oldest first.
    async fn list_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>>;
}
