//! Vaults: where calls find the access tokens of accounts, which of them may give items, which changes of friends and chats are on record, and
//! what signs calls about confirmations.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::sessions::{
    AnswerToSign, ConfirmationKey, ConfirmationTag, TokenVault, Tokens, VaultUnavailable,
};
use tradepost_ports::game_platform::social::SocialChange;

type Found = Result<Option<SecretString>, VaultUnavailable>;

/// The name of every authenticator.
const DEVICE: &str = "android:8007b97d-f21a-4c7f-fd82-de8057efbec2";

/// The tokens of accounts that were signed in, their identity secrets, and those that may give items. Every change of friends and chats is on
/// record, until none is.
#[derive(Default)]
pub(crate) struct Vault {
    tokens: Mutex<HashMap<PlatformUserId, SecretString>>,
    identity_secrets: Mutex<HashMap<PlatformUserId, &'static str>>,
    givers: Mutex<HashSet<PlatformUserId>>,
    has_no_change: AtomicBool,
    changes: Mutex<Vec<(PlatformUserId, SocialChange)>>,
    lists: AtomicUsize,
}

fn locked<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Vault {
    pub(crate) fn keep(&self, tokens: &Tokens) {
        locked(&self.tokens).insert(tokens.user, tokens.access.clone());
    }

    /// Keeps an identity secret, in base 64.
    pub(crate) fn keep_identity_secret(&self, account: PlatformUserId, secret: &'static str) {
        locked(&self.identity_secrets).insert(account, secret);
    }

    pub(crate) fn forget_identity_secret(&self, account: PlatformUserId) {
        locked(&self.identity_secrets).remove(&account);
    }

    /// Has a person let an account give items, or no longer.
    pub(crate) fn let_give(&self, account: PlatformUserId, may_give: bool) {
        let mut givers = locked(&self.givers);
        if may_give {
            givers.insert(account);
        } else {
            givers.remove(&account);
        }
    }

    /// Has no change of friends and chats on record from now on.
    pub(crate) fn forget_changes(&self) {
        self.has_no_change.store(true, Ordering::SeqCst);
    }

    /// Returns the changes of friends and chats that were asked about so far.
    pub(crate) fn changes(&self) -> Vec<(PlatformUserId, SocialChange)> {
        locked(&self.changes).clone()
    }

    /// Returns how often a key for a list of confirmations was asked for.
    pub(crate) fn asked_lists(&self) -> usize {
        self.lists.load(Ordering::SeqCst)
    }

    pub(crate) fn token(&self, account: PlatformUserId) -> Option<SecretString> {
        locked(&self.tokens).get(&account).cloned()
    }

    fn key(&self, account: PlatformUserId, at: Timestamp, tag: ConfirmationTag) -> Option<ConfirmationKey> {
        let secret = *locked(&self.identity_secrets).get(&account)?;
        let secret = STANDARD.decode(secret).unwrap();
        let mut signed = u64::try_from(at.as_micros() / 1_000_000).unwrap().to_be_bytes().to_vec();
        signed.extend(tag.word().as_bytes());
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &secret), &signed);
        Some(ConfirmationKey { device_id: DEVICE.to_owned(), key: STANDARD.encode(signature).into() })
    }
}

#[async_trait]
impl TokenVault for Vault {
    async fn access_token(&self, account: PlatformUserId) -> Found {
        Ok(self.token(account))
    }

    async fn confirmation_key(
        &self,
        account: PlatformUserId,
        at: Timestamp,
    ) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        self.lists.fetch_add(1, Ordering::SeqCst);
        Ok(self.key(account, at, ConfirmationTag::List))
    }

    async fn may_give(&self, account: PlatformUserId) -> Result<bool, VaultUnavailable> {
        Ok(locked(&self.givers).contains(&account))
    }

    async fn may_change(&self, account: PlatformUserId, change: &SocialChange) -> Result<bool, VaultUnavailable> {
        locked(&self.changes).push((account, change.clone()));
        Ok(!self.has_no_change.load(Ordering::SeqCst))
    }

    async fn answer_key(&self, wanted: &AnswerToSign) -> Result<Option<ConfirmationKey>, VaultUnavailable> {
        Ok(self.key(wanted.account, wanted.at, wanted.answer.into()))
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

    async fn may_give(&self, _: PlatformUserId) -> Result<bool, VaultUnavailable> {
        Err(VaultUnavailable("the database does not answer".to_owned()))
    }

    async fn may_change(&self, _: PlatformUserId, _: &SocialChange) -> Result<bool, VaultUnavailable> {
        Err(VaultUnavailable("the database does not answer".to_owned()))
    }
}
