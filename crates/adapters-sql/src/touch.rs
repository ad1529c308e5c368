//! Noting when keys were last used: one statement for any number of uses. No version changes, and no time moves back.

use sea_orm::{ConnectionTrait as _, DbBackend, Statement, Value};
use serde_json::{Value as Json, json};
use tradepost_ports::store::{KeyUse, StoreResult};

use crate::classify::{During, classify};
use crate::rows::uuid;
use crate::store::{Commits, SqlStore};

pub(crate) const SQLITE: &str = "INSERT INTO api_key_uses (workspace_id, key_id, last_used_at) \
    SELECT unhex(value ->> 0), unhex(value ->> 1), value ->> 2 FROM json_each($1) WHERE true \
    ON CONFLICT (workspace_id, key_id) DO UPDATE SET last_used_at = max(last_used_at, excluded.last_used_at)";
/// One row a key, since a statement may not change a row twice, and in one order, since two statements may meet.
const POSTGRES: &str = "INSERT INTO api_key_uses (workspace_id, key_id, last_used_at) \
    SELECT (use ->> 0)::uuid, (use ->> 1)::uuid, max((use ->> 2)::bigint) FROM json_array_elements($1::json) AS use \
    GROUP BY 1, 2 ORDER BY 1, 2 \
    ON CONFLICT (workspace_id, key_id) DO UPDATE \
    SET last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)";

/// The uses as the statement's argument.
pub(crate) fn argument(uses: &[KeyUse]) -> Value {
    let row = |used: &KeyUse| {
        let (workspace, key) = (uuid(used.workspace_id).simple(), uuid(used.key_id).simple());
        json!([workspace.to_string(), key.to_string(), used.at.as_micros()])
    };
    Json::Array(uses.iter().map(row).collect()).to_string().into()
}

impl SqlStore {
    pub(crate) async fn note_uses(&self, uses: &[KeyUse]) -> StoreResult<()> {
        match &self.commits {
            Commits::Sqlite(sqlite) => sqlite.touch(uses).await,
            Commits::Postgres(_) => {
                let statement = Statement::from_sql_and_values(DbBackend::Postgres, POSTGRES, [argument(uses)]);
                let done = self.writes().execute_raw(statement).await;
                done.map(|_| ()).map_err(|error| classify(&error, During::Statement))
            }
        }
    }
}
