//! The keys of a world, each for what it can show.

use std::collections::HashMap;

use tradepost_domain::id::ApiKeyId;

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
}

/// The tokens and ids of the keys.
#[derive(Debug, Default)]
pub(crate) struct Keys(HashMap<Key, (String, ApiKeyId)>);

impl Keys {
    pub(crate) fn insert(&mut self, key: Key, token: &str, id: ApiKeyId) {
        self.0.insert(key, (token.to_owned(), id));
    }

    #[track_caller]
    pub(crate) fn token(&self, key: Key) -> &str {
        &self.0[&key].0
    }

    /// The tokens of all keys.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(|(token, _)| token.as_str())
    }

    #[track_caller]
    pub(crate) fn id(&self, key: Key) -> ApiKeyId {
        self.0[&key].1
    }
}
