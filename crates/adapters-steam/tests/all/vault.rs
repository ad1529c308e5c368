//! Vaults: where calls find the access tokens of accounts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::sessions::{TokenVault, Tokens, VaultUnavailable};

type Found = Result<Option<SecretString>, VaultUnavailable>;

/// The tokens of accounts that were signed in.
#[derive(Default)]
pub(crate) struct Vault(Mutex<HashMap<PlatformUserId, SecretString>>);

impl Vault {
    pub(crate) fn keep(&self, tokens: &Tokens) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(tokens.user, tokens.access.clone());
    }

    pub(crate) fn token(&self, account: PlatformUserId) -> Option<SecretString> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&account).cloned()
    }
}

#[async_trait]
impl TokenVault for Vault {
    async fn access_token(&self, account: PlatformUserId) -> Found {
        Ok(self.token(account))
    }
}

/// The same tokens as the world knows them: the facades write its own token into each of theirs.
pub(crate) struct WorldTokens(pub(crate) Arc<Vault>);

#[async_trait]
impl TokenVault for WorldTokens {
    async fn access_token(&self, account: PlatformUserId) -> Found {
        Ok(self.0.token(account).map(|token| of_world(token.expose_secret())))
    }
}

fn of_world(token: &str) -> SecretString {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let payload: Value = serde_json::from_slice(&payload).unwrap();
    SecretString::from(payload["jti"].as_str().unwrap())
}

/// A vault that has this token for every account.
pub(crate) struct OneToken(pub(crate) SecretString);

#[async_trait]
impl TokenVault for OneToken {
    async fn access_token(&self, _: PlatformUserId) -> Found {
        Ok(Some(self.0.clone()))
    }
}

/// A vault that cannot be read.
pub(crate) struct ClosedVault;

#[async_trait]
impl TokenVault for ClosedVault {
    async fn access_token(&self, _: PlatformUserId) -> Found {
        Err(VaultUnavailable("the database does not answer".to_owned()))
    }
}
