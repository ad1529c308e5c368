//! Reads of identities of other platforms, and of links to them that were begun.

use async_trait::async_trait;
use tradepost_domain::account_link::{AccountLink, Provider, SpentAnswer};
use tradepost_domain::id::AccountLinkId;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_domain::user::LinkedIdentity;

use super::MemoryStore;
use crate::changes::Seen;
use crate::store::{AccountLinks, StoreResult};

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

    async fn list_account_links_begun_before(&self, at: Timestamp, most: u32) -> StoreResult<Vec<Seen<AccountLink>>> {
        let mut links = self.state().all(|link: &AccountLink| link.created_at < at);
        links.truncate(most as usize);
        Ok(links)
    }

    async fn list_answers_spent_before(&self, at: Timestamp, most: u32) -> StoreResult<Vec<Seen<SpentAnswer>>> {
        let mut answers = self.state().all(|answer: &SpentAnswer| answer.spent_at < at);
        answers.truncate(most as usize);
        Ok(answers)
    }
}
