//! From a credential to a caller, and when each key and session was last used.
//!
//! A known credential is cached for 5 s; an unknown one never. A change of rights in this process clears the cache at once, and so does one
//! in another process that storage reports. While this process may miss such reports, it caches nothing. A mutation is always guarded by
//! the key or session as it was read.

use crate::calls::tokens::find_by_token;
use crate::calls::tokens::redigest;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use moka::sync::Cache;
use tradepost_domain::accounts::access::{self, Principal, PrincipalId};
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::id::ApiKeyId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Seen, VersionGuard};
use tradepost_ports::secrets::TokenKind;
use tradepost_ports::store::{KeyRecord, KeyUse, ListedSession, SessionRecord, SessionUse};

use crate::{OpError, OpResult, Operations};

const REMEMBERED_FOR: Duration = Duration::from_secs(5);
const MOST_REMEMBERED: u64 = 100_000;

/// A credential that was found.
#[derive(Clone)]
struct Found {
    principal: Principal,
    guards: Vec<VersionGuard>,
    /// The time from which it is rejected, if it is not used before.
    ends_at: Option<Timestamp>,
}

/// Credentials that were found recently, by digest.
pub(crate) struct CredentialCache {
    found: Cache<TokenDigest, Found>,
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

    fn recall(&self, digest: &TokenDigest, at: Timestamp) -> Option<Found> {
        self.found.get(digest).filter(|known| known.ends_at.is_none_or(|end| at < end))
    }

    fn remember(&self, digest: TokenDigest, found: Found) {
        if !self.is_deaf.load(Ordering::Acquire) {
            self.found.insert(digest, found);
        }
    }
}

/// Uses of keys and sessions that are not stored yet, the latest of each.
#[derive(Default)]
pub(crate) struct Uses(Mutex<HashMap<PrincipalId, Use>>);

#[derive(Clone, Copy)]
enum Use {
    Key(KeyUse),
    Session(SessionUse),
}

impl Use {
    const fn at(self) -> Timestamp {
        match self {
            Self::Key(used) => used.at,
            Self::Session(used) => used.at,
        }
    }
}

impl Uses {
    fn note(&self, principal: &Principal, at: Timestamp) {
        let (id, used) = match principal {
            Principal::Key(key) => {
                let used = KeyUse { workspace_id: key.workspace_id, key_id: key.key_id, at };
                (PrincipalId::Key(key.key_id), Use::Key(used))
            }
            Principal::Session(session) => {
                let used = SessionUse { user_id: session.user_id, session_id: session.session_id, at };
                (PrincipalId::Session(session.session_id), Use::Session(used))
            }
            Principal::Person(_) | Principal::System | Principal::Anonymous => return,
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, used);
    }

    /// Returns the last use of a key: the later of the stored and the noted one.
    pub(crate) fn latest(&self, key: ApiKeyId, stored: Option<Timestamp>) -> Option<Timestamp> {
        self.later(PrincipalId::Key(key), stored)
    }

    /// Returns when a session was last used: the latest of what is stored, what is noted here, and its beginning.
    pub(crate) fn last_seen(&self, listed: &ListedSession) -> Timestamp {
        let session = listed.session.peek();
        let used = self.later(PrincipalId::Session(session.id), listed.last_seen_at);
        used.map_or(session.created_at, |used| used.max(session.created_at))
    }

    fn later(&self, id: PrincipalId, stored: Option<Timestamp>) -> Option<Timestamp> {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id).map(|used| used.at());
        stored.max(noted)
    }

    fn noted(&self) -> HashMap<PrincipalId, Use> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets the uses that are stored, but not those noted in between.
    fn forget(&self, stored: &HashMap<PrincipalId, Use>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.retain(|id, used| stored.get(id).is_none_or(|stored| stored.at() < used.at()));
    }
}

impl Operations {
    /// Identifies the caller by the token of an API key or of a session.
    ///
    /// # Errors
    /// `unauthenticated` for a token that is of no live key or session, or that may not be used from this address; `internal`
    /// when storage is out.
    pub async fn authenticate(&self, token: &str, client: Option<IpAddr>) -> OpResult<Caller> {
        let (kind, digest) = self.digest_of(token)?;
        let at = self.now();
        let known = self.known.recall(&digest, at);
        let found = if let Some(known) = known { known } else { self.look_up(kind, token, digest, at).await? };
        if let Principal::Key(key) = &found.principal
            && !key.networks.admit(client)
        {
            return Err(OpError::unauthenticated());
        }
        self.uses.note(&found.principal, at);
        Ok(Caller { principal: found.principal, guards: found.guards, client, request: None, once: None, held: None })
    }

    /// Forgets all cached callers because rights changed in another process.
    pub fn forget_callers(&self) {
        self.known.forget();
    }

    /// Sets whether to cache callers from now on.
    ///
    /// It is off while reports about changed rights from other processes may be missed. It is on at first, for a single process.
    pub fn remember_callers(&self, remember: bool) {
        self.known.is_deaf.store(!remember, Ordering::Release);
        self.known.forget();
    }

    /// Stores when keys and sessions were last used. To be called now and then, and before the process ends.
    ///
    /// # Errors
    /// `internal` when storage is out; the uses noted so far are kept for the next time.
    pub async fn flush_uses(&self) -> OpResult<()> {
        let noted = self.uses.noted();
        let (mut keys, mut sessions) = (Vec::new(), Vec::new());
        for used in noted.values() {
            match used {
                Use::Key(used) => keys.push(*used),
                Use::Session(used) => sessions.push(*used),
            }
        }
        if !keys.is_empty() {
            self.ports.store.api_keys().touch(&keys).await?;
        }
        if !sessions.is_empty() {
            self.ports.store.sessions().touch(&sessions).await?;
        }
        self.uses.forget(&noted);
        Ok(())
    }

    fn digest_of(&self, token: &str) -> OpResult<(TokenKind, TokenDigest)> {
        let kinds = [TokenKind::ApiKey, TokenKind::Session].into_iter();
        let mut digests = kinds.filter_map(|kind| Some((kind, self.ports.secrets.digest(kind, token).ok()?)));
        digests.next().ok_or_else(OpError::unauthenticated)
    }

    async fn look_up(&self, kind: TokenKind, token: &str, digest: TokenDigest, at: Timestamp) -> OpResult<Found> {
        let found = match kind {
            TokenKind::Session => self.look_up_session(token, at).await?,
            TokenKind::ApiKey | TokenKind::EmailLink | TokenKind::Invitation => {
                self.look_up_key(token, digest, at).await?
            }
        };
        self.known.remember(digest, found.clone());
        Ok(found)
    }

    async fn look_up_key(&self, token: &str, digest: TokenDigest, at: Timestamp) -> OpResult<Found> {
        let KeyRecord { key, owner, membership } = key_of(self, token).await?.ok_or_else(OpError::unauthenticated)?;
        let holder = access::authenticate(key.peek(), owner.peek(), membership.peek(), at)?;
        if key.peek().digest != digest {
            redigest(self, key.peek(), digest).await;
        }
        let guards = vec![key.stamp(), owner.stamp(), membership.stamp()];
        Ok(Found { ends_at: holder.expires_at, principal: Principal::Key(holder), guards })
    }

    /// Looks a session up. Its guards name every membership of the user: only entering a workspace decides which of them grants the right.
    async fn look_up_session(&self, token: &str, at: Timestamp) -> OpResult<Found> {
        let find = |digest| async move { self.ports.store.sessions().find_by_digest(&digest).await };
        let found = find_by_token(self, TokenKind::Session, token, find).await?.ok_or_else(OpError::unauthenticated)?;
        let last_seen_at = self.uses.last_seen(&found.session);
        let SessionRecord { session: ListedSession { session, .. }, user, memberships } = found;
        let own = memberships.iter().map(Seen::peek);
        let ends_at = self.session_life.ends_at(session.peek(), last_seen_at);
        let unused = access::UnusedSession { session: session.peek(), ends_at };
        let holder = access::authenticate_session(unused, user.peek(), own, at)?;
        let guards = [session.stamp(), user.stamp()].into_iter();
        let guards = guards.chain(memberships.iter().map(Seen::stamp)).collect();
        Ok(Found { ends_at: Some(ends_at), principal: Principal::Session(holder), guards })
    }
}

/// Returns the key with this token.
pub(crate) async fn key_of(operations: &Operations, token: &str) -> OpResult<Option<KeyRecord>> {
    let find = |digest| async move { operations.ports.store.api_keys().find_by_digest(&digest).await };
    find_by_token(operations, TokenKind::ApiKey, token, find).await
}
