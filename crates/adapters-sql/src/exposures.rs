//! `pool_exposures`: how much money of a pool is at stake in items of a name, added up as entries of the ledger are written.

use std::collections::BTreeMap;

use sea_orm::Value;
use serde_json::{Value as Json, json};
use tradepost_domain::contracts::ledger::LedgerEntry;
use uuid::Uuid;

use crate::rows::uuid;

/// Adds what an argument holds.
pub(crate) const ADD_SQLITE: &str = "INSERT INTO pool_exposures (workspace_id, pool_id, market_hash_name, exposed_cents) \
    SELECT unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3 FROM json_each($1) WHERE true \
    ON CONFLICT (workspace_id, pool_id, market_hash_name) DO UPDATE SET exposed_cents = exposed_cents + excluded.exposed_cents";

/// What is at stake in items of a name.
pub(crate) const FIND: &str =
    "SELECT exposed_cents FROM pool_exposures WHERE workspace_id = $1 AND pool_id = $2 AND market_hash_name = $3";

/// The same in items of several names, each with its name.
pub(crate) const FIND_SEVERAL_SQLITE: &str = "SELECT market_hash_name, exposed_cents FROM pool_exposures \
    WHERE workspace_id = $1 AND pool_id = $2 AND market_hash_name IN (SELECT value FROM json_each($3))";
/// The same. An array is looked up in the index name by name, however many names the pool has.
pub(crate) const FIND_SEVERAL_POSTGRES: &str = "SELECT market_hash_name, exposed_cents FROM pool_exposures \
    WHERE workspace_id = $1 AND pool_id = $2 AND market_hash_name = ANY(ARRAY(SELECT json_array_elements_text($3::json)))";

/// Adds what an argument has on PostgreSQL, with its number; one text however much it holds.
pub(crate) fn add_postgres(number: usize) -> String {
    format!(
        "INSERT INTO pool_exposures (workspace_id, pool_id, market_hash_name, exposed_cents) \
         SELECT (value ->> 0)::uuid, (value ->> 1)::uuid, value ->> 2, (value ->> 3)::bigint \
         FROM json_array_elements(${number}::json) \
         ON CONFLICT (workspace_id, pool_id, market_hash_name) \
         DO UPDATE SET exposed_cents = pool_exposures.exposed_cents + excluded.exposed_cents"
    )
}

/// Returns by how much the entries change the exposures, always in the same order; `None` where they change nothing.
pub(crate) fn argument(entries: &[&LedgerEntry]) -> Option<Value> {
    let mut changes: BTreeMap<(Uuid, Uuid, &str), i64> = BTreeMap::new();
    for entry in entries {
        let (Some(pool_id), Some(trade)) = (entry.pool_id, &entry.trade) else { continue };
        let key = (uuid(entry.workspace_id), uuid(pool_id), trade.market_hash_name.as_str());
        let change = changes.entry(key).or_default();
        *change = change.saturating_add(entry.amounts.exposure());
    }
    changes.retain(|_, change| *change != 0);
    let row = |((workspace, pool, name), change): ((Uuid, Uuid, &str), i64)| {
        json!([workspace.simple().to_string(), pool.simple().to_string(), name, change])
    };
    let rows: Vec<Json> = changes.into_iter().map(row).collect();
    (!rows.is_empty()).then(|| Json::Array(rows).to_string().into())
}
