//! Vaults: one that has the token of a sign-in and everything else as it is on record, and one that knows tokens as the world does.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::trading::AccountTokens;
use tradepost_ports::game_platform::sessions::{AnswerToSign, ConfirmationKey, TokenVault, VaultUnavailable};
use tradepost_ports::game_platform::social::SocialChange;

/// The token of the one account that calls.
pub(super) struct OneSignIn {
    records: AccountTokens,
    access: Mutex<SecretString>,
}

impl OneSignIn {
    pub(super) fn new(records: AccountTokens, access: SecretString) -> Self {
        Self { records, access: Mutex::new(access) }
    }

    /// Has the token of another sign-in from now on.
    pub(super) fn replace(&self, access: SecretString) {
        *self.access.lock().unwrap_or_else(PoisonError::into_inner) = access;
    }
}

#[async_trait]
impl TokenVault for OneSignIn {
    async fn access_token(&self, _: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        Ok(Some(self.access.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }

    async fn confirmation_key(
        &self,
        account: PlatformUserId,
        at: Timestamp,
    ) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        self.records.confirmation_key(account, at).await
    }

    async fn may_give(&self, account: PlatformUserId) -> Result<bool, VaultUnavailable> {
        self.records.may_give(account).await
    }

    async fn may_change(&self, account: PlatformUserId, change: &SocialChange) -> Result<bool, VaultUnavailable> {
        self.records.may_change(account, change).await
    }

    async fn answer_key(&self, wanted: &AnswerToSign) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        self.records.answer_key(wanted).await
    }
}

/// The tokens of another vault as the world knows them: the facades write its own token into each of theirs.
pub(super) struct WorldTokens(pub(super) Arc<dyn TokenVault>);

#[async_trait]
impl TokenVault for WorldTokens {
    async fn access_token(&self, account: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        let token = self.0.access_token(account).await?;
        Ok(token.map(|token| of_world(token.expose_secret())))
    }
}

fn of_world(token: &str) -> SecretString {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let payload: Value = serde_json::from_slice(&payload).unwrap();
    SecretString::from(payload["jti"].as_str().unwrap())
}
