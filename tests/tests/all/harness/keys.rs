//! The keys of a world, each for what it can show, and a session as well.

use std::collections::HashMap;

use tradepost_domain::id::{ApiKeyId, SessionId};

/// Whose key with which rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// Every policy of the owner, with a fresh step-up.
    Full,
    /// Every policy of the owner, without a step-up.
    Unproven,
    /// Every policy of the owner but `identity`.
    NoIdentity,
    /// `analytics` alone.
    Reader,
    /// `trading` alone.
    Trader,
    /// No policy at all.
    Bare,
    /// A member who has no authenticator app: `trading`, `analytics` and `identity`.
    Member,
    /// A member who signs in through another platform and has no e-mail address; with a fresh step-up where one can be.
    Chat,
    /// Every policy of the owner of the other workspace.
    Other,
    /// Over.
    Expired,
    /// Revoked.
    Revoked,
    /// No key at all: the member of [`Key::Member`] has signed in, by password.
    Session,
    /// The owner of the first workspace has signed in.
    Owner,
    /// The same, in another session that never shows a second factor.
    UnprovenOwner,
}

/// The tokens and ids of the keys and of the sessions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    keys: HashMap<Key, (String, ApiKeyId)>,
    sessions: HashMap<Key, (String, SessionId)>,
}

impl Keys {
    pub(crate) fn insert(&mut self, key: Key, token: &str, id: ApiKeyId) {
        self.keys.insert(key, (token.to_owned(), id));
    }

    pub(crate) fn insert_session(&mut self, key: Key, token: &str, id: SessionId) {
        self.sessions.insert(key, (token.to_owned(), id));
    }

    #[track_caller]
    pub(crate) fn token(&self, key: Key) -> &str {
        self.sessions.get(&key).map_or_else(|| self.keys[&key].0.as_str(), |(token, _)| token)
    }

    /// The tokens of all keys and sessions.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        let sessions = self.sessions.values().map(|(token, _)| token.as_str());
        self.keys.values().map(|(token, _)| token.as_str()).chain(sessions)
    }

    #[track_caller]
    pub(crate) fn id(&self, key: Key) -> ApiKeyId {
        self.keys[&key].1
    }

    #[track_caller]
    pub(crate) fn session_id(&self, key: Key) -> SessionId {
        self.sessions[&key].1
    }
}
