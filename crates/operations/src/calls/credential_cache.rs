//! Credentials that were found, cached for some seconds.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use moka::sync::Cache;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, VersionGuard};

const REMEMBERED_FOR: Duration = Duration::from_secs(5);
const MOST_REMEMBERED: u64 = 100_000;

/// A credential that was found.
#[derive(Clone)]
pub(crate) struct KnownCredential {
    principal: Principal,
    guards: Vec<VersionGuard>,
    /// The time from which it is rejected, if it is not used before.
    ends_at: Option<Timestamp>,
}

impl KnownCredential {
    pub(crate) const fn new(principal: Principal, guards: Vec<VersionGuard>, ends_at: Option<Timestamp>) -> Self {
        Self { principal, guards, ends_at }
    }

    pub(crate) const fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Returns the caller that presents the credential from an address.
    pub(crate) fn into_caller(self, client: Option<IpAddr>) -> Caller {
        let Self { principal, guards, .. } = self;
        Caller { principal, guards, client, request: None, once: None, held: None }
    }
}

/// Credentials that were found recently, by digest.
pub(crate) struct CredentialCache {
    found: Cache<TokenDigest, KnownCredential>,
    /// Whether this process may miss changes of rights in other processes.
    is_deaf: AtomicBool,
}

impl Default for CredentialCache {
    fn default() -> Self {
        let found = Cache::builder().time_to_live(REMEMBERED_FOR).max_capacity(MOST_REMEMBERED).build();
        Self { found, is_deaf: AtomicBool::new(false) }
    }
}

impl CredentialCache {
    /// Forgets every credential because the rights of a user changed.
    pub(crate) fn forget(&self) {
        self.found.invalidate_all();
    }

    /// Sets whether credentials are cached, and forgets those that are.
    pub(crate) fn remember_from_now_on(&self, remember: bool) {
        self.is_deaf.store(!remember, Ordering::Release);
        self.forget();
    }

    /// Returns a credential that was found recently and has not ended since.
    pub(crate) fn recall(&self, digest: &TokenDigest, at: Timestamp) -> Option<KnownCredential> {
        self.found.get(digest).filter(|known| known.ends_at.is_none_or(|end| at < end))
    }

    /// Caches a credential, unless changes of rights may be missed.
    pub(crate) fn remember(&self, digest: TokenDigest, found: KnownCredential) {
        if !self.is_deaf.load(Ordering::Acquire) {
            self.found.insert(digest, found);
        }
    }
}
