//! Reads of second factors and step-up. These belong to a user, not to a workspace.

use async_trait::async_trait;
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::step_up::Factors;
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{SecondFactors, StoreResult};
use uuid::Uuid;

use crate::rows::{cell, uuid};
use crate::store::SqlStore;

const FACTORS: &str = "SELECT \
    EXISTS (SELECT 1 FROM users WHERE id = $1 AND email_key IS NOT NULL), \
    EXISTS (SELECT 1 FROM totps WHERE user_id = $1), \
    EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1 AND disabled_at IS NULL), \
    EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = $1 AND length(digests) > 0)";
#[async_trait]
impl SecondFactors for SqlStore {
    async fn find_all(&self, user: UserId) -> StoreResult<Factors> {
        match self.row(FACTORS, vec![uuid(user).into()]).await? {
            Some(row) => Ok(Factors {
                email: cell(&row, 0)?,
                totp: cell(&row, 1)?,
                passkey: cell(&row, 2)?,
                recovery_code: cell(&row, 3)?,
            }),
            None => Ok(Factors { email: false, totp: false, passkey: false, recovery_code: false }),
        }
    }
    async fn find_totp(&self, user: UserId) -> StoreResult<Option<Seen<Totp>>> {
        self.find(vec![uuid(user).into()]).await
    }
    async fn find_totp_enrollment(&self, user: UserId) -> StoreResult<Option<Seen<TotpEnrollment>>> {
        self.find(vec![uuid(user).into()]).await
    }
    async fn find_recovery_codes(&self, user: UserId) -> StoreResult<Option<Seen<RecoveryCodes>>> {
        self.find(vec![uuid(user).into()]).await
    }
    async fn find_guesses(&self, user: UserId) -> StoreResult<Option<Seen<Guesses>>> {
        self.find(vec![uuid(user).into()]).await
    }
    async fn find_code_guesses(&self, user: UserId, by: Guesser) -> StoreResult<Option<Seen<CodeGuesses>>> {
        self.find(vec![uuid(user).into(), Uuid::from_bytes(by.to_bytes()).into()]).await
    }
}
