//! Reads of identities of other platforms, and of begun links to them.

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::{AccountLink, Provider};
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::id::AccountLinkId;
use tradepost_domain::text::Name;

use crate::memory::MemoryStore;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountLinks, StoreResult};

#[async_trait]
impl AccountLinks for MemoryStore {
    async fn find_linked_identity(
        &self,
        provider: Provider,
        subject: &Name,
    ) -> StoreResult<Option<Seen<LinkedIdentity>>> {
        let is_it = |identity: &LinkedIdentity| identity.provider == provider && identity.subject == *subject;
        Ok(self.state().first(is_it))
    }

    async fn find_account_link(&self, id: AccountLinkId) -> StoreResult<Option<Seen<AccountLink>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }
}
