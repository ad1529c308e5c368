//! When each key and session was last used, until it is stored.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tradepost_domain::accounts::access::{Principal, PrincipalId};
use tradepost_domain::id::ApiKeyId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{KeyUse, ListedSession, SessionUse};

/// Uses of keys and sessions that are not stored yet, the latest of each.
#[derive(Default)]
pub(crate) struct Uses(Mutex<HashMap<PrincipalId, Use>>);

/// The use of a key or a session.
#[derive(Clone, Copy)]
pub(crate) enum Use {
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
    /// Notes that a key or a session is used.
    pub(crate) fn note(&self, principal: &Principal, at: Timestamp) {
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

    /// Returns the uses that are not stored yet.
    pub(crate) fn noted(&self) -> HashMap<PrincipalId, Use> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets the uses that are stored, but not those noted in between.
    pub(crate) fn forget(&self, stored: &HashMap<PrincipalId, Use>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.retain(|id, used| stored.get(id).is_none_or(|stored| stored.at() < used.at()));
    }
}
