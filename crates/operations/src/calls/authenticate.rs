//! From a credential to a caller.
//!
//! A known credential is cached for 5 s; an unknown one never. A change of rights in this process clears the cache at once, and so does one
//! in another process that storage reports. While this process may miss such reports, it caches nothing. A mutation is always guarded by
//! the key or session as it was read.

use std::net::IpAddr;

use tradepost_domain::accounts::access::{self, Principal};
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::secrets::TokenKind;
use tradepost_ports::store::{KeyRecord, ListedSession, SessionRecord};

use crate::calls::credential_cache::KnownCredential;
use crate::calls::tokens::{find_by_token, redigest};
use crate::calls::uses::Use;
use crate::{OpError, OpResult, Operations};

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
        if let Principal::Key(key) = found.principal()
            && !key.networks.admit(client)
        {
            return Err(OpError::unauthenticated());
        }
        self.uses.note(found.principal(), at);
        Ok(found.into_caller(client))
    }

    /// Forgets all cached callers because rights changed in another process.
    pub fn forget_callers(&self) {
        self.known.forget();
    }

    /// Sets whether to cache callers from now on.
    ///
    /// It is off while reports about changed rights from other processes may be missed. It is on at first, for a single process.
    pub fn remember_callers(&self, remember: bool) {
        self.known.remember_from_now_on(remember);
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

    async fn look_up(
        &self,
        kind: TokenKind,
        token: &str,
        digest: TokenDigest,
        at: Timestamp,
    ) -> OpResult<KnownCredential> {
        let found = match kind {
            TokenKind::Session => self.look_up_session(token, at).await?,
            TokenKind::ApiKey | TokenKind::EmailLink | TokenKind::Invitation => {
                self.look_up_key(token, digest, at).await?
            }
        };
        self.known.remember(digest, found.clone());
        Ok(found)
    }

    async fn look_up_key(&self, token: &str, digest: TokenDigest, at: Timestamp) -> OpResult<KnownCredential> {
        let KeyRecord { key, owner, membership } = key_of(self, token).await?.ok_or_else(OpError::unauthenticated)?;
        let holder = access::authenticate(key.peek(), owner.peek(), membership.peek(), at)?;
        if key.peek().digest != digest {
            redigest(self, key.peek(), digest).await;
        }
        let guards = vec![key.stamp(), owner.stamp(), membership.stamp()];
        let ends_at = holder.expires_at;
        Ok(KnownCredential::new(Principal::Key(holder), guards, ends_at))
    }

    /// Looks a session up. Its guards name every membership of the user: only entering a workspace decides which of them grants the right.
    async fn look_up_session(&self, token: &str, at: Timestamp) -> OpResult<KnownCredential> {
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
        Ok(KnownCredential::new(Principal::Session(holder), guards, Some(ends_at)))
    }
}

/// Returns the key with this token.
pub(crate) async fn key_of(operations: &Operations, token: &str) -> OpResult<Option<KeyRecord>> {
    let find = |digest| async move { operations.ports.store.api_keys().find_by_digest(&digest).await };
    find_by_token(operations, TokenKind::ApiKey, token, find).await
}
