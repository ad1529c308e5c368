//! Reads of waiting mails.

use async_trait::async_trait;
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Outbox, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Outbox for MemoryStore {
    async fn list_due(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<Seen<OutgoingMail>>> {
        let mut due = self.state().all(|mail: &OutgoingMail| mail.due_at <= at);
        due.sort_by_key(|mail| (mail.peek().due_at, mail.peek().id));
        due.truncate(limit as usize);
        Ok(due)
    }
}
