//! Counts over all workspaces of an installation, for its metrics.
//!
//! Each statement reads the kept counters and sums of at most 500 workspaces, or at most 100,000 entries of a queue, so that a census
//! takes as long with many records as with few.

use std::collections::BTreeMap;

use sea_orm::{QueryResult, Value};
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::remediation::{RemediationStatus, Severity};
use tradepost_domain::markets::provider::{BreakerState, ProviderStatus};
use tradepost_domain::time::Timestamp;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use crate::clearing::MOST_COUNTED;
use crate::read::contracts::ledger::column;
use crate::rows::cell;
use crate::settings::DatabaseSettings;
use crate::store::SqlStore;

/// Workspaces of one statement.
const WORKSPACES_AT_ONCE: i64 = 500;

/// Entries are overdue that were due before the last round of clearing, and are still there.
const CLEARED_EVERY_MICROS: i64 = 120_000_000;

const WORKSPACES: &str =
    "SELECT id, halted_at IS NOT NULL FROM workspaces WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2";

/// The kinds that are counted by status.
const COUNTED: [Kind; 7] = [
    Kind::Contract,
    Kind::Intent,
    Kind::Purchase,
    Kind::InventoryItem,
    Kind::TradeOffer,
    Kind::TradingAccount,
    Kind::Remediation,
];

/// The queues of background work with a table of their own: number and time of the oldest of the rows that wait. Another queue is
/// another line here, and is measured from then on.
const QUEUES: [(&str, &str); 4] = [
    ("alerts", "SELECT due_at AS at FROM alert_messages WHERE state = 1"),
    ("audit", "SELECT e.at FROM audit_waiting q JOIN audit_events e ON e.log_id = q.log_id AND e.id = q.event_id"),
    ("mail", "SELECT created_at AS at FROM outgoing_mails"),
    // A delivery waits from the time at which it is due: a pause after a failure is as it should be. Those of a disabled endpoint wait
    // for its owner.
    (
        "webhooks",
        "SELECT d.due_at AS at FROM webhook_deliveries d JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id \
         AND e.id = d.endpoint_id AND e.status = 1 WHERE d.state = 1",
    ),
];
/// Changes of status that have no position yet. SQLite gives them one in the same transaction.
const POSITIONS: (&str, &str) = (
    "positions",
    "SELECT coalesce(t.logged_at, t.at) AS at FROM transitions_waiting q JOIN transitions t \
     ON t.workspace_id = q.workspace_id AND t.subject_kind = q.subject_kind AND t.id = q.transition_id",
);

/// What an installation has, over all of its workspaces that are not deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// The number of workspaces.
    pub workspaces: u64,
    /// Those in which trading is halted.
    pub halted: u64,
    /// Records by kind and stored number of the status.
    pub records: BTreeMap<(Kind, i16), i64>,
    /// Remediations that have not ended.
    pub open_remediations: BTreeMap<Severity, i64>,
    /// The money of pools by currency and account, in cents.
    pub balances: BTreeMap<(String, Account), i64>,
    /// Enabled providers by the state of their breaker.
    pub breakers: BTreeMap<BreakerState, i64>,
    /// The queues of background work.
    pub queues: Vec<QueueState>,
}

/// What waits in a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueState {
    /// The name of the queue.
    pub queue: &'static str,
    /// The number of entries, 100,000 at most.
    pub waiting: i64,
    /// The time of the oldest; `None` if nothing waits, or if the entries are overdue since different times.
    pub oldest: Option<Timestamp>,
}

/// How many connections are open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolState {
    /// The open connections that run nothing.
    pub idle: u32,
    /// Those that run a statement or a transaction.
    pub used: u32,
    /// The most that are opened.
    pub most: u32,
}

/// The rows of a table that belong to the workspaces of a page, after `$1` up to `$2`.
struct OfWorkspaces<'a> {
    table: &'static str,
    columns: &'a [&'a str],
    /// Which of them, with `r` for the row.
    condition: &'a str,
}

impl OfWorkspaces<'_> {
    /// Returns the statement that reads them, workspace by workspace along the key of the table. Without the forced order a database
    /// that expects many workspaces may read the whole table.
    fn rows(&self, is_sqlite: bool) -> String {
        let Self { table, condition, .. } = self;
        let columns: Vec<String> = self.columns.iter().map(|column| format!("r.{column}")).collect();
        let (columns, page) = (columns.join(", "), "w.id > $1 AND w.id <= $2 AND w.deleted_at IS NULL");
        if is_sqlite {
            format!(
                "SELECT {columns} FROM workspaces w CROSS JOIN {table} r \
                 WHERE {page} AND r.workspace_id = w.id AND {condition}"
            )
        } else {
            format!(
                "SELECT {columns} FROM workspaces w CROSS JOIN LATERAL \
                 (SELECT * FROM {table} r WHERE r.workspace_id = w.id AND {condition} OFFSET 0) r WHERE {page}"
            )
        }
    }
}

fn records(is_sqlite: bool) -> String {
    let no_contract = if is_sqlite { "zeroblob(16)" } else { "'00000000-0000-0000-0000-000000000000'::uuid" };
    let kinds = listed(COUNTED.iter().map(|kind| kind.code()));
    let condition = format!("r.kind IN ({kinds}) AND r.contract_id = {no_contract}");
    let counters = OfWorkspaces { table: "record_counts", columns: &["kind", "status", "n"], condition: &condition }
        .rows(is_sqlite);
    format!("SELECT kind, status, CAST(sum(n) AS bigint) FROM ({counters}) c GROUP BY kind, status")
}

fn open_remediations(is_sqlite: bool) -> String {
    let open = RemediationStatus::ALL.iter().filter(|status| !status.is_terminal());
    let condition = format!("r.status IN ({})", listed(open.map(|status| status.code())));
    let open = OfWorkspaces { table: "remediations", columns: &["severity"], condition: &condition }.rows(is_sqlite);
    format!("SELECT severity, count(*) FROM ({open} LIMIT {MOST_COUNTED}) c GROUP BY severity")
}

fn balances(is_sqlite: bool) -> String {
    let accounts = || Account::ALL.iter().map(|account| column(*account));
    let columns: Vec<&str> = ["currency"].into_iter().chain(accounts()).collect();
    let sums: Vec<String> = accounts().map(|account| format!("CAST(sum({account}) AS bigint)")).collect();
    let pools = OfWorkspaces { table: "pools", columns: &columns, condition: "1 = 1" }.rows(is_sqlite);
    format!("SELECT currency, {} FROM ({pools}) c GROUP BY currency", sums.join(", "))
}

fn breakers(is_sqlite: bool) -> String {
    let condition = format!(
        "EXISTS (SELECT 1 FROM providers p WHERE p.workspace_id = r.workspace_id AND p.id = r.id AND p.status = {})",
        ProviderStatus::Enabled.code()
    );
    let looks =
        OfWorkspaces { table: "provider_healths", columns: &["breaker"], condition: &condition }.rows(is_sqlite);
    format!("SELECT breaker, count(*) FROM ({looks}) c GROUP BY breaker")
}

fn listed(codes: impl Iterator<Item = i16>) -> String {
    codes.map(|code| code.to_string()).collect::<Vec<_>>().join(", ")
}

impl SqlStore {
    /// Takes a census. `at` is now, by the clock that the records follow.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn census(&self, at: Timestamp) -> StoreResult<Census> {
        let (mut census, mut after) = (Census::default(), Uuid::nil());
        loop {
            let page = self.rows(WORKSPACES, vec![after.into(), WORKSPACES_AT_ONCE.into()]).await?;
            let Some(last) = page.last() else { break };
            let last: Uuid = cell(last, 0)?;
            for row in &page {
                census.halted = census.halted.saturating_add(u64::from(cell::<bool>(row, 1)?));
            }
            census.workspaces = census.workspaces.saturating_add(page.len().try_into().unwrap_or(u64::MAX));
            self.add_page(&mut census, vec![after.into(), last.into()]).await?;
            after = last;
        }
        census.queues = self.queues(at).await?;
        Ok(census)
    }

    /// Adds what the workspaces of a page have.
    async fn add_page(&self, census: &mut Census, page: Vec<Value>) -> StoreResult<()> {
        let is_sqlite = self.is_sqlite();
        for row in self.rows(&records(is_sqlite), page.clone()).await? {
            let kind = known(&row, "record_counts.kind", |code| COUNTED.into_iter().find(|kind| kind.code() == code))?;
            add(&mut census.records, (kind, cell(&row, 1)?), cell(&row, 2)?);
        }
        for row in self.rows(&open_remediations(is_sqlite), page.clone()).await? {
            let severity = known(&row, "remediations.severity", Severity::from_code)?;
            add(&mut census.open_remediations, severity, cell(&row, 1)?);
        }
        for row in self.rows(&balances(is_sqlite), page.clone()).await? {
            let currency: String = cell(&row, 0)?;
            for (account, position) in Account::ALL.iter().zip(1..) {
                add(&mut census.balances, (currency.clone(), *account), cell(&row, position)?);
            }
        }
        for row in self.rows(&breakers(is_sqlite), page).await? {
            let state = known(&row, "provider_healths.breaker", BreakerState::from_code)?;
            add(&mut census.breakers, state, cell(&row, 1)?);
        }
        Ok(())
    }

    async fn queues(&self, at: Timestamp) -> StoreResult<Vec<QueueState>> {
        let mut queues = Vec::new();
        let own = QUEUES.into_iter().chain((!self.is_sqlite()).then_some(POSITIONS));
        for (queue, waiting) in own {
            let sql = format!("SELECT count(*), min(at) FROM ({waiting} LIMIT {MOST_COUNTED}) q");
            let row = self.row(&sql, vec![]).await?;
            let row = row.ok_or_else(|| StoreError::Bug("a count without a row".to_owned()))?;
            let oldest = cell::<Option<i64>>(&row, 1)?.and_then(|micros| Timestamp::from_micros(micros).ok());
            queues.push(QueueState { queue, waiting: cell(&row, 0)?, oldest });
        }
        let by = Timestamp::from_micros(at.as_micros().saturating_sub(CLEARED_EVERY_MICROS)).unwrap_or(at);
        let overdue = self.clearing_backlog(by).await?;
        let waiting = overdue.iter().map(|backlog| backlog.overdue).fold(0, i64::saturating_add).min(MOST_COUNTED);
        queues.push(QueueState { queue: "clearing", waiting, oldest: None });
        Ok(queues)
    }

    /// Returns how many connections for reads are open, and on PostgreSQL for writes.
    pub fn pool_state(&self) -> PoolState {
        let (size, idle, most) = match &self.settings {
            DatabaseSettings::Sqlite(_) => {
                let pool = self.reads().get_sqlite_connection_pool();
                (pool.size(), pool.num_idle(), pool.options().get_max_connections())
            }
            DatabaseSettings::Postgres(_) => {
                let pool = self.reads().get_postgres_connection_pool();
                (pool.size(), pool.num_idle(), pool.options().get_max_connections())
            }
        };
        let idle = u32::try_from(idle).unwrap_or(u32::MAX).min(size);
        PoolState { idle, used: size.saturating_sub(idle), most }
    }
}

fn add<K: Ord>(sums: &mut BTreeMap<K, i64>, key: K, more: i64) {
    let sum = sums.entry(key).or_default();
    *sum = sum.saturating_add(more);
}

/// The value whose stored number is in the first column.
fn known<T>(row: &QueryResult, column: &str, from_code: impl FnOnce(i16) -> Option<T>) -> StoreResult<T> {
    let code: i16 = cell(row, 0)?;
    from_code(code).ok_or_else(|| StoreError::Corrupt(format!("{column}: {code}")))
}
