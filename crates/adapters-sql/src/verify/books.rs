//! The check of the books: every entry of the ledger sums to zero, and every pool with what is at stake in it is what its entries
//! come to. In slices, each by statements that see one moment: writers are not held up, and what they write meanwhile is no finding.

use sea_orm::Value;
use tradepost_domain::id::{LedgerEntryId, PoolId, WorkspaceId};
use tradepost_domain::ledger::Account;
#[cfg(doc)]
use tradepost_ports::store::StoreError;
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::MOST_TOLD;
use crate::read::pools::column;
use crate::rows::id;
use crate::store::{SqlStore, cell};

/// Entries that are looked at in one statement, and pools that are listed by one.
const ENTRIES_AT_ONCE: i64 = 20_000;
const POOLS_AT_ONCE: i64 = 100;

/// The amounts whose money is at stake in an item.
const EXPOSED: &str = "reserved_cents + paid_in_transit_cents + inventory_at_cost_cents + delivered_at_cost_cents";

const END_OF_SLICE: &str = "SELECT workspace_id, id FROM ledger_entries WHERE (workspace_id, id) > ($1, $2) \
    ORDER BY workspace_id, id LIMIT 1 OFFSET $3";
const POOLS: &str =
    "SELECT workspace_id, id FROM pools WHERE (workspace_id, id) > ($1, $2) ORDER BY workspace_id, id LIMIT $3";

/// Something that the books do not come to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The amounts of an entry do not sum to zero.
    #[error("ledger entry {id} of workspace {workspace_id} does not sum to zero")]
    Unbalanced {
        /// The workspace.
        workspace_id: WorkspaceId,
        /// The entry.
        id: LedgerEntryId,
    },
    /// The balances of a pool are not the sums of its entries.
    #[error("the balances of pool {id} of workspace {workspace_id} are not what its entries come to")]
    Balances {
        /// The workspace.
        workspace_id: WorkspaceId,
        /// The pool.
        id: PoolId,
    },
    /// What is at stake in items of a name is not what the entries come to.
    #[error("the exposure of pool {id} of workspace {workspace_id} to {name} is not what its entries come to")]
    Exposure {
        /// The workspace.
        workspace_id: WorkspaceId,
        /// The pool.
        id: PoolId,
        /// The name of the items.
        name: String,
    },
}

/// What the check of the books came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookReport {
    /// Entries that were looked at.
    pub entries: u64,
    /// Pools that were looked at.
    pub pools: u64,
    /// What is wrong, the first 100.
    pub findings: Vec<BookError>,
}

impl SqlStore {
    /// Checks the books. `progress` is told from time to time how many entries and pools were looked at.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; what is wrong with the data is in the report.
    pub async fn check_books(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<BookReport> {
        let mut report = BookReport::default();
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let end = self.end_of_slice(after).await?;
            self.check_entries(after, end, &mut report).await?;
            progress(report.entries);
            let Some(end) = end else { break };
            after = end;
        }
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let values: Vec<Value> = vec![after.0.into(), after.1.into(), POOLS_AT_ONCE.into()];
            let rows = self.patiently(POOLS, values).await?;
            let Some(last) = rows.last() else { return Ok(report) };
            after = (cell(last, 0)?, cell(last, 1)?);
            for row in &rows {
                self.check_pool((cell(row, 0)?, cell(row, 1)?), &mut report).await?;
                progress(report.entries.saturating_add(report.pools));
            }
        }
    }

    async fn end_of_slice(&self, after: (Uuid, Uuid)) -> StoreResult<Option<(Uuid, Uuid)>> {
        let values: Vec<Value> = vec![after.0.into(), after.1.into(), (ENTRIES_AT_ONCE - 1).into()];
        let rows = self.patiently(END_OF_SLICE, values).await?;
        rows.first().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).transpose()
    }

    /// Looks at the entries after one and up to another one, or to the last.
    async fn check_entries(
        &self,
        after: (Uuid, Uuid),
        end: Option<(Uuid, Uuid)>,
        report: &mut BookReport,
    ) -> StoreResult<()> {
        let end = end.unwrap_or((Uuid::max(), Uuid::max()));
        let slice = || -> Vec<Value> { vec![after.0.into(), after.1.into(), end.0.into(), end.1.into()] };
        let within = "FROM ledger_entries WHERE (workspace_id, id) > ($1, $2) AND (workspace_id, id) <= ($3, $4)";
        let many = self.patiently(&format!("SELECT count(*) {within}"), slice()).await?;
        let many: i64 = many.first().map_or(Ok(0), |row| cell(row, 0))?;
        report.entries = report.entries.saturating_add(u64::try_from(many).unwrap_or(0));
        let sum = columns().collect::<Vec<_>>().join(" + ");
        let text = format!("SELECT workspace_id, id {within} AND {sum} <> 0 LIMIT {MOST_TOLD}");
        for row in self.patiently(&text, slice()).await? {
            let (workspace, entry): (Uuid, Uuid) = (cell(&row, 0)?, cell(&row, 1)?);
            report.add(BookError::Unbalanced { workspace_id: id(workspace), id: id(entry) });
        }
        Ok(())
    }

    async fn check_pool(&self, (workspace, pool): (Uuid, Uuid), report: &mut BookReport) -> StoreResult<()> {
        report.pools = report.pools.saturating_add(1);
        let values = || -> Vec<Value> { vec![workspace.into(), pool.into()] };
        let (workspace_id, pool_id) = (id(workspace), id(pool));
        if !self.patiently(&drifting_balances(), values()).await?.is_empty() {
            report.add(BookError::Balances { workspace_id, id: pool_id });
        }
        for row in self.patiently(&drifting_exposures(), values()).await? {
            report.add(BookError::Exposure { workspace_id, id: pool_id, name: cell(&row, 0)? });
        }
        Ok(())
    }
}

/// The columns of the accounts, in an entry and in a pool.
fn columns() -> impl Iterator<Item = &'static str> {
    Account::ALL.iter().copied().map(column)
}

impl BookReport {
    fn add(&mut self, finding: BookError) {
        if self.findings.len() < MOST_TOLD {
            self.findings.push(finding);
        }
    }
}

/// A row if the balances of a pool are not what its entries come to.
fn drifting_balances() -> String {
    let sums: Vec<String> = columns().map(|column| format!("coalesce(sum({column}), 0) AS {column}")).collect();
    let differ: Vec<String> = columns().map(|column| format!("p.{column} <> e.{column}")).collect();
    let (sums, differ) = (sums.join(", "), differ.join(" OR "));
    format!(
        "SELECT 1 FROM pools p CROSS JOIN (SELECT {sums} FROM ledger_entries WHERE workspace_id = $1 AND pool_id = $2) e \
         WHERE p.workspace_id = $1 AND p.id = $2 AND ({differ})"
    )
}

/// The names of which a pool's exposure is not what its entries come to.
fn drifting_exposures() -> String {
    format!(
        "SELECT market_hash_name FROM (SELECT market_hash_name, {EXPOSED} AS cents FROM ledger_entries \
         WHERE workspace_id = $1 AND pool_id = $2 AND market_hash_name IS NOT NULL UNION ALL \
         SELECT market_hash_name, -exposed_cents FROM pool_exposures WHERE workspace_id = $1 AND pool_id = $2) told \
         GROUP BY market_hash_name HAVING sum(cents) <> 0 LIMIT {MOST_TOLD}"
    )
}
