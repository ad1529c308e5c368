//! The keys of a world, each for what it can show, and a session beside them.

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
    /// Taken back.
    Revoked,
    /// No key at all: the member of [`Key::Member`] has signed in, by password.
    Session,
}

/// The tokens and ids of the keys and of the session.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    keys: HashMap<Key, (String, ApiKeyId)>,
    session: Option<(String, SessionId)>,
}

impl Keys {
    pub(crate) fn insert(&mut self, key: Key, token: &str, id: ApiKeyId) {
        self.keys.insert(key, (token.to_owned(), id));
    }

    pub(crate) fn set_session(&mut self, token: &str, id: SessionId) {
        self.session = Some((token.to_owned(), id));
    }

    #[track_caller]
    pub(crate) fn token(&self, key: Key) -> &str {
        match (key, &self.session) {
            (Key::Session, Some((token, _))) => token,
            _ => &self.keys[&key].0,
        }
    }

    /// The tokens of all keys and of the session.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        let sessions = self.session.iter().map(|(token, _)| token.as_str());
        self.keys.values().map(|(token, _)| token.as_str()).chain(sessions)
    }

    #[track_caller]
    pub(crate) fn id(&self, key: Key) -> ApiKeyId {
        self.keys[&key].1
    }

    #[track_caller]
    pub(crate) fn session_id(&self) -> SessionId {
        self.session.as_ref().expect("somebody has signed in").1
    }
}
