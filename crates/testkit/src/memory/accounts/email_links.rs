//! Reads of links that were mailed.

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::numbered;
use tradepost_ports::store::{EmailLinks, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl EmailLinks for MemoryStore {
    async fn find_own(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        Ok(self.state().find(user.to_bytes(), numbered(kind.code())))
    }
    async fn find(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>> {
        Ok(self.state().first(|link: &EmailLink| link.digest == *digest))
    }
    async fn find_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        let mut links = self.state().all(|link: &EmailLink| link.purpose.kind() == kind && link.purpose.email() == to);
        links.sort_by_key(|link| (link.peek().created_at, link.peek().user_id));
        Ok(links.pop())
    }
}
