//! Noting when keys and sessions were last used: one statement for any number of uses. No version changes, and no time moves
//! back.

use sea_orm::Value;
use serde_json::{Value as Json, json};
use tradepost_ports::store::{KeyUse, SessionUse};
use uuid::Uuid;

use crate::rows::uuid;

/// What was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastUseOf {
    Keys,
    Sessions,
}

/// A use: of which record, and when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastUse {
    home: Uuid,
    key: Uuid,
    micros: i64,
}

impl From<&KeyUse> for LastUse {
    fn from(used: &KeyUse) -> Self {
        Self { home: uuid(used.workspace_id), key: uuid(used.key_id), micros: used.at.as_micros() }
    }
}

impl From<&SessionUse> for LastUse {
    fn from(used: &SessionUse) -> Self {
        Self { home: uuid(used.user_id), key: uuid(used.session_id), micros: used.at.as_micros() }
    }
}

const KEYS_ON_SQLITE: &str = "INSERT INTO api_key_uses (workspace_id, key_id, last_used_at) \
    SELECT unhex(value ->> 0), unhex(value ->> 1), value ->> 2 FROM json_each($1) WHERE true \
    ON CONFLICT (workspace_id, key_id) DO UPDATE SET last_used_at = max(last_used_at, excluded.last_used_at)";
/// The use of a session that has ended is not recorded.
const SESSIONS_ON_SQLITE: &str = "INSERT INTO session_uses (user_id, session_id, last_seen_at) \
    SELECT s.user_id, s.id, value ->> 2 FROM json_each($1) \
    JOIN sessions s ON s.user_id = unhex(value ->> 0) AND s.id = unhex(value ->> 1) WHERE true \
    ON CONFLICT (user_id, session_id) DO UPDATE SET last_seen_at = max(last_seen_at, excluded.last_seen_at)";
/// One row a key, since a statement may not change a row twice, and in one order, since two statements may meet.
const KEYS_ON_POSTGRES: &str = "INSERT INTO api_key_uses (workspace_id, key_id, last_used_at) \
    SELECT (use ->> 0)::uuid, (use ->> 1)::uuid, max((use ->> 2)::bigint) FROM json_array_elements($1::json) AS use \
    GROUP BY 1, 2 ORDER BY 1, 2 \
    ON CONFLICT (workspace_id, key_id) DO UPDATE \
    SET last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)";
const SESSIONS_ON_POSTGRES: &str = "INSERT INTO session_uses (user_id, session_id, last_seen_at) \
    SELECT s.user_id, s.id, max((use ->> 2)::bigint) FROM json_array_elements($1::json) AS use \
    JOIN sessions s ON s.user_id = (use ->> 0)::uuid AND s.id = (use ->> 1)::uuid GROUP BY 1, 2 ORDER BY 1, 2 \
    ON CONFLICT (user_id, session_id) DO UPDATE \
    SET last_seen_at = greatest(session_uses.last_seen_at, excluded.last_seen_at)";

impl LastUseOf {
    pub(crate) const fn on_sqlite(self) -> &'static str {
        match self {
            Self::Keys => KEYS_ON_SQLITE,
            Self::Sessions => SESSIONS_ON_SQLITE,
        }
    }

    pub(crate) const fn on_postgres(self) -> &'static str {
        match self {
            Self::Keys => KEYS_ON_POSTGRES,
            Self::Sessions => SESSIONS_ON_POSTGRES,
        }
    }
}

/// The uses as the statement's argument.
pub(crate) fn argument<'a>(notes: impl IntoIterator<Item = &'a LastUse>) -> Value {
    let row = |note: &LastUse| json!([note.home.simple().to_string(), note.key.simple().to_string(), note.micros]);
    Json::Array(notes.into_iter().map(row).collect()).to_string().into()
}
