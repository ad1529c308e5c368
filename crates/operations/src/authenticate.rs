//! From a credential to a caller, and when each key was last used.
//!
//! A key that was found is remembered for five seconds; an unknown one never. Revocation in this process empties the
//! memory at once. A mutation passes in no case: it is guarded by the key as it was seen.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use moka::sync::Cache;
use tradepost_domain::access::{self, KeyHolder, Principal};
use tradepost_domain::api_key::TokenDigest;
use tradepost_domain::id::ApiKeyId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Stamp};
use tradepost_ports::secrets::TokenKind;
use tradepost_ports::store::{KeyRecord, KeyUse};

use crate::{OpError, OpResult, Operations};

const REMEMBERED_FOR: Duration = Duration::from_secs(5);
const MOST_REMEMBERED: u64 = 100_000;

/// Keys that were found lately, by digest.
pub(crate) struct KeyCache(Cache<TokenDigest, (KeyHolder, Vec<Stamp>)>);

impl Default for KeyCache {
    fn default() -> Self {
        Self(Cache::builder().time_to_live(REMEMBERED_FOR).max_capacity(MOST_REMEMBERED).build())
    }
}

impl KeyCache {
    /// Forgets every key: somebody's rights changed.
    pub(crate) fn forget(&self) {
        self.0.invalidate_all();
    }
}

/// Uses of keys that are not stored yet, the latest of each.
#[derive(Default)]
pub(crate) struct KeyUses(Mutex<HashMap<ApiKeyId, KeyUse>>);

impl KeyUses {
    fn note(&self, key: &KeyHolder, at: Timestamp) {
        let seen = KeyUse { workspace_id: key.workspace_id, key_id: key.key_id, at };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.key_id, seen);
    }

    /// The later of what is stored and what is noted here.
    pub(crate) fn latest(&self, key: ApiKeyId, stored: Option<Timestamp>) -> Option<Timestamp> {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).map(|seen| seen.at);
        stored.max(noted)
    }

    fn take(&self) -> Vec<KeyUse> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).drain().map(|(_, seen)| seen).collect()
    }
}

impl Operations {
    /// Finds out who calls.
    ///
    /// # Errors
    /// `unauthenticated` for a token that is no live key, or that may not be used from this address; `internal` when storage is out.
    pub async fn authenticate(&self, token: &str, client: Option<IpAddr>) -> OpResult<Caller> {
        let digest = self.ports.secrets.digest(TokenKind::ApiKey, token).map_err(|_| OpError::unauthenticated())?;
        let at = self.now();
        let (key, guards) = match self.keys.0.get(&digest) {
            Some(known) => known,
            None => self.look_up(digest, at).await?,
        };
        if key.expires_at.is_some_and(|expiry| at >= expiry) || !key.networks.admit(client) {
            return Err(OpError::unauthenticated());
        }
        self.uses.note(&key, at);
        Ok(Caller { principal: Principal::Key(key), guards, client })
    }

    /// Stores when keys were last used. To be called now and then, and before the process ends.
    ///
    /// # Errors
    /// `internal` when storage is out; the uses noted so far are lost then.
    pub async fn flush_key_uses(&self) -> OpResult<()> {
        let uses = self.uses.take();
        if uses.is_empty() { Ok(()) } else { Ok(self.ports.store.touch_keys(&uses).await?) }
    }

    async fn look_up(&self, digest: TokenDigest, at: Timestamp) -> OpResult<(KeyHolder, Vec<Stamp>)> {
        let found = self.ports.store.find_key_by_digest(&digest).await?.ok_or_else(OpError::unauthenticated)?;
        let KeyRecord { key, owner, membership } = found;
        let holder = access::authenticate(key.peek(), owner.peek(), membership.peek(), at)?;
        let known = (holder, vec![key.stamp(), owner.stamp(), membership.stamp()]);
        self.keys.0.insert(digest, known.clone());
        Ok(known)
    }
}
