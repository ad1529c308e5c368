//! Reads of sign-ins that have begun.

use async_trait::async_trait;
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{SignIns, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl SignIns for MemoryStore {
    async fn find_pending(&self, id: ChallengeId) -> StoreResult<Option<Seen<PendingSignIn>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }
    async fn list_pending(&self, user: UserId) -> StoreResult<Vec<Seen<PendingSignIn>>> {
        Ok(self.state().all(|pending: &PendingSignIn| pending.user_id == user))
    }
    async fn find_by_passkey(&self, id: ChallengeId) -> StoreResult<Option<Seen<PasskeySignIn>>> {
        Ok(self.state().find(id.to_bytes(), id.to_bytes()))
    }
    async fn list_by_passkey_before(&self, at: Timestamp, most: u16) -> StoreResult<Vec<Seen<PasskeySignIn>>> {
        let mut before = self.state().all(|asked: &PasskeySignIn| asked.created_at < at);
        before.sort_by_key(|asked| (asked.peek().created_at, asked.peek().id));
        before.truncate(usize::from(most));
        Ok(before)
    }
}
