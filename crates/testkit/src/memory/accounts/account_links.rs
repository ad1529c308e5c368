//! Reads of identities of other platforms, and of begun links to them.

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::{AccountLink, Provider};
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::id::{AccountLinkId, UserId};
use tradepost_domain::text::Name;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountLinks, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl AccountLinks for MemoryStore {
    async fn find_identity(&self, provider: Provider, subject: &Name) -> StoreResult<Option<Seen<LinkedIdentity>>> {
        let is_it = |identity: &LinkedIdentity| identity.provider == provider && identity.subject == *subject;
        Ok(self.state().first(is_it))
    }
    async fn find(&self, id: AccountLinkId) -> StoreResult<Option<Seen<AccountLink>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }
    async fn count_identities(&self, user: UserId) -> StoreResult<i64> {
        let linked = self.state().all(|identity: &LinkedIdentity| identity.user_id == user);
        Ok(linked.into_iter().map(|_| 1).sum())
    }
    async fn list_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>> {
        Ok(self.state().all(|identity: &LinkedIdentity| identity.user_id == user))
    }
}
