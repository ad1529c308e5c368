//! Reads of second factors and step-up. These belong to a user, not to a workspace.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::accounts::step_up::{Challenge, Factors, Grant};
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::id::{ChallengeId, PasskeyId, UserId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{SecondFactors, StoreResult};
use uuid::Uuid;

use crate::rows::accounts::passkey;
use crate::rows::accounts::two_factor::challenge;
use crate::rows::{cell, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

const FACTORS: &str = "SELECT \
    EXISTS (SELECT 1 FROM users WHERE id = $1 AND email_key IS NOT NULL), \
    EXISTS (SELECT 1 FROM totps WHERE user_id = $1), \
    EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1 AND disabled_at IS NULL), \
    EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = $1 AND length(digests) > 0)";
static PASSKEYS: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {} FROM passkeys WHERE user_id = $1 ORDER BY id", select_list::<passkey::Entity>("", ""))
});
static CHALLENGES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<challenge::Entity>("", "");
    format!("SELECT {columns} FROM challenges WHERE user_id = $1 AND principal = $2 ORDER BY id")
});

#[async_trait]
impl SecondFactors for SqlStore {
    async fn find_factors(&self, user: UserId) -> StoreResult<Factors> {
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

    async fn find_passkey(&self, user: UserId, id: PasskeyId) -> StoreResult<Option<Seen<Passkey>>> {
        self.find(vec![uuid(user).into(), uuid(id).into()]).await
    }

    async fn list_passkeys(&self, user: UserId) -> StoreResult<Vec<Seen<Passkey>>> {
        self.all(&PASSKEYS, vec![uuid(user).into()]).await
    }

    async fn find_passkey_registration(&self, user: UserId) -> StoreResult<Option<Seen<PasskeyRegistration>>> {
        self.find(vec![uuid(user).into()]).await
    }

    async fn find_challenge(&self, user: UserId, id: ChallengeId) -> StoreResult<Option<Seen<Challenge>>> {
        self.find(vec![uuid(user).into(), uuid(id).into()]).await
    }

    async fn list_challenges(&self, prover: Prover) -> StoreResult<Vec<Seen<Challenge>>> {
        self.all(&CHALLENGES, key_of(prover)).await
    }

    async fn find_grant(&self, prover: Prover) -> StoreResult<Option<Seen<Grant>>> {
        self.find(key_of(prover)).await
    }
}

/// Ids are unique over keys and sessions, so what each is need not be asked.
fn key_of(prover: Prover) -> Vec<Value> {
    vec![uuid(prover.user_id).into(), Uuid::from_bytes(prover.id.to_bytes()).into()]
}
