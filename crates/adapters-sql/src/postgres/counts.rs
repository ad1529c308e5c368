//! Rate limits that every process on the server's database counts together: one statement a call, by the server's clock.
//! What they limit is not known here.

use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait as _, DbBackend, QueryResult, Statement, Value};
use tradepost_ports::limiter::{HEARTBEAT, LiveProcesses, Quota, RateClass, SharedCounts, Verdict};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use super::{Connections, Purpose};
use crate::classify::{DbOperation, classify};
use crate::rows::cell;

/// Charges by the generic cell rate algorithm. `full_at` is when the whole burst is there again. Answers how far off that is
/// in microseconds: after the charge, and without it where it did not fit.
const CHARGE: &str = "WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now), \
    charged AS (INSERT INTO rate_limits AS held (class, partition, full_at) SELECT $1, $2, now + $3 FROM clock \
    ON CONFLICT (class, partition) DO UPDATE SET full_at = greatest(held.full_at, excluded.full_at - $3) + $3 \
    WHERE greatest(held.full_at, excluded.full_at - $3) + $3 - (excluded.full_at - $3) <= $4 RETURNING full_at) \
    SELECT (SELECT full_at - now FROM charged), coalesce((SELECT full_at - now FROM rate_limits \
    WHERE class = $1 AND partition = $2), 0) FROM clock";
/// Refunds one charge. A partition with its whole burst gains nothing, because a charge counts from the current time.
const REFUND: &str = "UPDATE rate_limits SET full_at = full_at - $3 WHERE class = $1 AND partition = $2";
/// Counts the processes that were heard of lately with this one. Old counts go a thousand at a time, and none that another
/// process is at.
const BEAT: &str = "WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now), \
    idle AS (DELETE FROM rate_limits WHERE (class, partition) IN (SELECT class, partition FROM rate_limits, clock \
    WHERE full_at < now LIMIT 1000 FOR UPDATE OF rate_limits SKIP LOCKED)), \
    beat AS (INSERT INTO nodes (id, seen_at) SELECT $1, now FROM clock \
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at), \
    expired AS (DELETE FROM nodes WHERE id IN (SELECT id FROM nodes, clock WHERE seen_at < now - $2 AND id <> $1 \
    FOR UPDATE OF nodes SKIP LOCKED)) \
    SELECT 1 + count(*), coalesce(bool_and(id < $1), TRUE) FROM nodes, clock WHERE id <> $1 AND seen_at >= now - $2";

const LEAVE: &str = "DELETE FROM nodes WHERE id = $1";

/// The counts of a server.
#[derive(Debug, Clone)]
pub(crate) struct PostgresCounts {
    connections: Connections,
}

impl PostgresCounts {
    pub(crate) const fn new(connections: Connections) -> Self {
        Self { connections }
    }

    async fn run(&self, sql: &str, values: Vec<Value>) -> StoreResult<()> {
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
        let asking = self.connections.db().execute_raw(statement);
        let done = self.connections.ask(Purpose::Writing, asking).await;
        done.map(drop).map_err(|error| classify(&error, DbOperation::Statement))
    }

    async fn row(&self, sql: &str, values: Vec<Value>) -> StoreResult<QueryResult> {
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
        let asking = self.connections.db().query_one_raw(statement);
        let row = self.connections.ask(Purpose::Writing, asking).await;
        let row = row.map_err(|error| classify(&error, DbOperation::Statement))?;
        row.ok_or_else(|| StoreError::Bug("a count without a row".to_owned()))
    }
}

#[async_trait]
impl SharedCounts for PostgresCounts {
    async fn charge(&self, class: RateClass, partition: &[u8], quota: Quota) -> StoreResult<Verdict> {
        let (class, interval) = (number_of(class)?, interval(quota));
        let most = interval.saturating_mul(i64::from(quota.burst));
        let values = vec![class.into(), partition.to_vec().into(), interval.into(), most.into()];
        let row = self.row(CHARGE, values).await?;
        if let Some(until_full) = cell::<Option<i64>>(&row, 0)? {
            let remaining = most.saturating_sub(until_full) / interval.max(1);
            let remaining = u32::try_from(remaining).unwrap_or(0);
            return Ok(Verdict { allowed: true, quota, remaining, wait: duration(until_full) });
        }
        // Another process may have charged what this statement did not see yet: at least a moment then.
        let until_full: i64 = cell(&row, 1)?;
        let wait = until_full.saturating_add(interval).saturating_sub(most).max(1);
        Ok(Verdict { allowed: false, quota, remaining: 0, wait: duration(wait) })
    }

    async fn refund(&self, class: RateClass, partition: &[u8], quota: Quota) -> StoreResult<()> {
        let values: Vec<Value> = vec![number_of(class)?.into(), partition.to_vec().into(), interval(quota).into()];
        self.run(REFUND, values).await
    }

    async fn beat(&self, process: [u8; 16]) -> StoreResult<LiveProcesses> {
        let silence = micros(HEARTBEAT).saturating_mul(3);
        let row = self.row(BEAT, vec![Uuid::from_bytes(process).into(), silence.into()]).await?;
        let count: i64 = cell(&row, 0)?;
        Ok(LiveProcesses { count: u32::try_from(count).unwrap_or(u32::MAX), is_latest: cell(&row, 1)? })
    }

    async fn leave(&self, process: [u8; 16]) -> StoreResult<()> {
        self.run(LEAVE, vec![Uuid::from_bytes(process).into()]).await
    }
}

fn number_of(class: RateClass) -> StoreResult<i16> {
    i16::try_from(class as usize).map_err(|error| StoreError::Bug(error.to_string()))
}

/// What one call costs, in microseconds.
fn interval(quota: Quota) -> i64 {
    micros(quota.window) / i64::from(quota.calls.max(1))
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

fn duration(micros: i64) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}
