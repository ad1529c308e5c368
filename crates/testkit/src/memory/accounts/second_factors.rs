//! Reads of second factors.

use async_trait::async_trait;
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::step_up::Factors;
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::ONLY;
use tradepost_ports::store::{SecondFactors, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl SecondFactors for MemoryStore {
    async fn find_all(&self, user: UserId) -> StoreResult<Factors> {
        Ok(self.state().factors_of(user))
    }
    async fn find_totp(&self, user: UserId) -> StoreResult<Option<Seen<Totp>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }
    async fn find_totp_enrollment(&self, user: UserId) -> StoreResult<Option<Seen<TotpEnrollment>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }
    async fn find_guesses(&self, user: UserId) -> StoreResult<Option<Seen<Guesses>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }
    async fn find_code_guesses(&self, user: UserId, by: Guesser) -> StoreResult<Option<Seen<CodeGuesses>>> {
        Ok(self.state().find(user.to_bytes(), by.to_bytes()))
    }
    async fn find_recovery_codes(&self, user: UserId) -> StoreResult<Option<Seen<RecoveryCodes>>> {
        Ok(self.state().find(user.to_bytes(), ONLY))
    }
}
