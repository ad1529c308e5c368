//! How much workspaces are used: counts that are only ever added to, one statement for any number of them.

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use serde_json::{Value as Json, json};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::usage::{Calls, UsagePoint};
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{StoreError, StoreResult, Usage, UsageCount, UsageQuery};
use uuid::Uuid;

use crate::clearing::USAGE_COUNTS;
use crate::rows::{cell, id, uuid};
use crate::store::SqlStore;

const ADD_SQLITE: &str = "INSERT INTO usage_counts (workspace_id, minute, key_id, operation, requests, errors, rate_limited) \
    SELECT unhex(value ->> 0), value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4, value ->> 5, value ->> 6 \
    FROM json_each($1) WHERE true ON CONFLICT (workspace_id, minute, key_id, operation) DO UPDATE SET \
    requests = requests + excluded.requests, errors = errors + excluded.errors, \
    rate_limited = rate_limited + excluded.rate_limited";
/// In one order, since two statements may meet.
const ADD_POSTGRES: &str = "INSERT INTO usage_counts AS u (workspace_id, minute, key_id, operation, requests, errors, rate_limited) \
    SELECT (c ->> 0)::uuid, (c ->> 1)::bigint, (c ->> 2)::uuid, c ->> 3, (c ->> 4)::bigint, (c ->> 5)::bigint, \
    (c ->> 6)::bigint FROM json_array_elements($1::json) AS c ORDER BY 1, 2, 3, 4 \
    ON CONFLICT (workspace_id, minute, key_id, operation) DO UPDATE SET requests = u.requests + excluded.requests, \
    errors = u.errors + excluded.errors, rate_limited = u.rate_limited + excluded.rate_limited";

/// Returns the statement of the sums of spans. A column that is not grouped by is the same for all.
fn read(query: &UsageQuery) -> String {
    let key = if query.grouping.by_key { "key_id" } else { "NULL" };
    let operation = if query.grouping.by_operation { "operation" } else { "NULL" };
    let groups = [(query.grouping.by_key, ", key_id"), (query.grouping.by_operation, ", operation")];
    let groups: String = groups.into_iter().filter(|(told_apart, _)| *told_apart).map(|(_, column)| column).collect();
    format!(
        "SELECT minute / $4 * $4, {key}, {operation}, CAST(sum(requests) AS BIGINT), CAST(sum(errors) AS BIGINT), \
         CAST(sum(rate_limited) AS BIGINT) FROM usage_counts WHERE workspace_id = $1 AND minute >= $2 AND minute < $3 \
         GROUP BY minute / $4 * $4{groups} ORDER BY 1{groups} LIMIT $5"
    )
}

fn row(count: &UsageCount) -> Json {
    let Calls { requests, errors, rate_limited } = count.calls;
    let key = count.key_id.map_or(Uuid::nil(), uuid).simple().to_string();
    json!([
        uuid(count.workspace_id).simple().to_string(),
        count.minute,
        key,
        count.operation,
        requests,
        errors,
        rate_limited
    ])
}

fn point(row: &QueryResult, query: &UsageQuery) -> StoreResult<UsagePoint> {
    let minute: i64 = cell(row, 0)?;
    let micros = minute.saturating_mul(60_000_000);
    let time =
        Timestamp::from_micros(micros).map_err(|error| StoreError::Corrupt(format!("usage_counts.minute: {error}")))?;
    let key: Option<Uuid> = if query.grouping.by_key { cell(row, 1)? } else { None };
    let operation: Option<String> = if query.grouping.by_operation { cell(row, 2)? } else { None };
    Ok(UsagePoint {
        time,
        key_id: key.filter(|key| !key.is_nil()).map(id),
        operation,
        calls: Calls { requests: cell(row, 3)?, errors: cell(row, 4)?, rate_limited: cell(row, 5)? },
    })
}

#[async_trait]
impl Usage for SqlStore {
    async fn add(&self, counts: &[UsageCount]) -> StoreResult<()> {
        if counts.is_empty() {
            return Ok(());
        }
        let counts = Json::Array(counts.iter().map(row).collect()).to_string();
        self.write(self.pick(ADD_SQLITE, ADD_POSTGRES), vec![counts.into()]).await.map(drop)
    }
    async fn read(&self, scope: WorkspaceScope, query: UsageQuery) -> StoreResult<Vec<UsagePoint>> {
        let values: Vec<Value> = vec![
            uuid(scope.workspace_id()).into(),
            query.from.into(),
            query.to.into(),
            query.granularity.minutes().into(),
            i64::from(query.limit).into(),
        ];
        self.rows(&read(&query), values).await?.iter().map(|row| point(row, &query)).collect()
    }
    async fn forget(&self, before: i64, most: u32) -> StoreResult<u64> {
        self.delete_due(USAGE_COUNTS, before, most).await
    }
}
