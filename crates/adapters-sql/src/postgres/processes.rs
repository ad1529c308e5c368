//! The processes that trade by records on the server's database: one statement a report, by the server's clock.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait as _, DbBackend, Statement, Value};
use tradepost_domain::markets::desk::ProcessId;
use tradepost_ports::connector::{SILENCE, TradingProcesses};
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::{Connections, Purpose};
use crate::classify::{DbOperation, classify};
use crate::rows::cell;

/// Records this process, removes those that are silent, and returns the others.
const BEAT: &str = "WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now), \
    beat AS (INSERT INTO trading_processes (id, seen_at) SELECT $1, now FROM clock \
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at), \
    silent AS (DELETE FROM trading_processes WHERE id IN (SELECT id FROM trading_processes, clock \
    WHERE seen_at < now - $2 AND id <> $1 FOR UPDATE OF trading_processes SKIP LOCKED)) \
    SELECT id FROM trading_processes, clock WHERE id <> $1 AND seen_at >= now - $2";
const LEAVE: &str = "DELETE FROM trading_processes WHERE id = $1";

/// The processes on a server.
#[derive(Debug, Clone)]
pub(crate) struct PostgresProcesses {
    connections: Connections,
}

impl PostgresProcesses {
    pub(crate) const fn new(connections: Connections) -> Self {
        Self { connections }
    }
}

fn statement(sql: &str, values: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

#[async_trait]
impl TradingProcesses for PostgresProcesses {
    async fn beat(&self, process: ProcessId) -> StoreResult<Vec<ProcessId>> {
        let silence = i64::try_from(SILENCE.as_micros()).unwrap_or(i64::MAX);
        let asking = self
            .connections
            .db()
            .query_all_raw(statement(BEAT, vec![Uuid::from_bytes(process).into(), silence.into()]));
        let rows = self.connections.ask(Purpose::Writing, asking).await;
        let rows = rows.map_err(|error| classify(&error, DbOperation::Statement))?;
        rows.iter().map(|row| Ok(cell::<Uuid>(row, 0)?.into_bytes())).collect()
    }

    async fn leave(&self, process: ProcessId) -> StoreResult<()> {
        let asking = self.connections.db().execute_raw(statement(LEAVE, vec![Uuid::from_bytes(process).into()]));
        let done = self.connections.ask(Purpose::Writing, asking).await;
        done.map(drop).map_err(|error| classify(&error, DbOperation::Statement))
    }
}
