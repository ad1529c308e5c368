//! Reads of passkeys.

use async_trait::async_trait;
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::id::{PasskeyId, UserId};
use tradepost_ports::changes::Seen;
use tradepost_ports::record::ONLY;
use tradepost_ports::store::{Passkeys, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Passkeys for MemoryStore {
    async fn find(&self, user: UserId, id: PasskeyId) -> StoreResult<Option<Seen<Passkey>>> {
        Ok(self.state().find(user.to_bytes(), id.to_bytes()))
    }
    async fn list(&self, user: UserId) -> StoreResult<Vec<Seen<Passkey>>> {
        Ok(self.state().all(|passkey: &Passkey| passkey.user_id == user))
    }
    async fn find_registration(&self, user: UserId) -> StoreResult<Option<Seen<PasskeyRegistration>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }
}
