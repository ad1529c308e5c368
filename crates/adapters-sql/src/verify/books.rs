//! The check of the ledger: every entry sums to zero, and every pool, its exposures and the use of its latest day match its
//! entries.

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::id::{LedgerEntryId, PoolId, WorkspaceId};
#[cfg(doc)]
use tradepost_ports::store::StoreError;
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use super::slice::Slice;
use super::tally::{Tally, columns, drifting_balances, drifting_exposures};
use super::walk::Span;
use crate::rows::{cell, id};
use crate::store::SqlStore;

/// Pools that are compared in one slice.
const POOLS_AT_ONCE: i64 = 100;

/// An amount that the entries of the ledger do not add up to.
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
    /// What the latest day of a pool used is not what its purchases of that day come to.
    #[error(
        "pool {id} of workspace {workspace_id} counts {counted} cents for its latest day, its purchases of that day come to {used}"
    )]
    Day {
        /// The workspace.
        workspace_id: WorkspaceId,
        /// The pool.
        id: PoolId,
        /// What the pool says.
        counted: i64,
        /// What its purchases say.
        used: i64,
    },
    /// There are entries of a pool that is not there.
    #[error("there are ledger entries of pool {id} of workspace {workspace_id}, and no such pool")]
    NoPool {
        /// The workspace.
        workspace_id: WorkspaceId,
        /// The pool.
        id: PoolId,
    },
}

/// The result of the check of the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookReport {
    /// Entries looked at.
    pub entries: u64,
    /// Pools looked at.
    pub pools: u64,
    /// What does not add up, at most 100 of it.
    pub findings: Vec<BookError>,
}

impl SqlStore {
    /// Checks every entry of the ledger and every pool. `progress` is called with the number of checked records. Writers
    /// are not delayed, and their concurrent writes are not findings.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; what does not add up is in the report.
    pub async fn check_books(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<BookReport> {
        let (mut report, mut after) = (BookReport::default(), Uuid::nil());
        let tables = ["ledger_entries", "pools", "pool_exposures"];
        while let Some(workspace) = self.next_home(&tables, "workspace_id", after).await? {
            let horizon = self.horizon(workspace).await?;
            let mut walked = Walked { workspace, horizon, tally: Tally::default(), days: BTreeMap::new() };
            self.walk_books(&mut walked, &mut report, &mut progress).await?;
            self.compare_pools(&walked, &mut report, &mut progress).await?;
            after = workspace;
        }
        Ok(report)
    }

    async fn walk_books(
        &self,
        walked: &mut Walked,
        report: &mut BookReport,
        progress: &mut (impl FnMut(u64) + Send),
    ) -> StoreResult<()> {
        let mut after = Uuid::nil();
        loop {
            let slice = self.slice().await?;
            let span = slice.span(walked.workspace, after, walked.horizon).await?;
            if let Some(span) = span {
                walked.take(&slice, span, report).await?;
                after = span.end;
            }
            slice.end().await?;
            progress(report.entries.saturating_add(report.pools));
            if span.is_none() {
                return Ok(());
            }
        }
    }

    async fn compare_pools(
        &self,
        walked: &Walked,
        report: &mut BookReport,
        progress: &mut (impl FnMut(u64) + Send),
    ) -> StoreResult<()> {
        let (mut after, mut tail_is_reported) = (Uuid::nil(), false);
        let mut there = BTreeSet::new();
        loop {
            let slice = self.slice().await?;
            let mut tail = BookReport::default();
            let recent = walked.recent(&slice, &mut tail).await?;
            let (pools, suspects) = walked.compare(&slice, &recent, after).await?;
            slice.end().await?;
            if !tail_is_reported {
                report.entries = report.entries.saturating_add(tail.entries);
                tail.findings.into_iter().for_each(|finding| report.add(finding));
                tail_is_reported = true;
            }
            for pool in suspects {
                self.confirm_pool(walked.workspace, pool, report).await?;
            }
            for pool in &pools {
                self.check_day(walked, *pool, report).await?;
            }
            report.pools = report.pools.saturating_add(u64::try_from(pools.len()).unwrap_or(0));
            progress(report.entries.saturating_add(report.pools));
            let Some(last) = pools.last() else { break };
            after = *last;
            there.extend(pools);
        }
        for pool in walked.tally.pools.keys().filter(|pool| !there.contains(pool)) {
            self.confirm_missing(walked.workspace, *pool, report).await?;
        }
        Ok(())
    }

    /// Compares a pool with all of its entries at one moment.
    async fn confirm_pool(&self, workspace: Uuid, pool: Uuid, report: &mut BookReport) -> StoreResult<()> {
        let values = || vec![workspace.into(), pool.into()];
        let (workspace_id, pool_id) = (id(workspace), id(pool));
        if !self.patiently(&drifting_balances(), values()).await?.is_empty() {
            report.add(BookError::Balances { workspace_id, id: pool_id });
        }
        for row in self.patiently(&drifting_exposures(), values()).await? {
            report.add(BookError::Exposure { workspace_id, id: pool_id, name: cell(&row, 0)? });
        }
        Ok(())
    }

    async fn confirm_missing(&self, workspace: Uuid, pool: Uuid, report: &mut BookReport) -> StoreResult<()> {
        let text = "SELECT 1 FROM pools WHERE workspace_id = $1 AND id = $2";
        if self.patiently(text, vec![workspace.into(), pool.into()]).await?.is_empty() {
            report.add(BookError::NoPool { workspace_id: id(workspace), id: id(pool) });
        }
        Ok(())
    }

    async fn check_day(&self, walked: &Walked, pool: Uuid, report: &mut BookReport) -> StoreResult<()> {
        let slice = self.slice().await?;
        let since = walked.days.get(&pool).copied().unwrap_or(walked.horizon);
        let found = super::tally::day_of_pool(&slice, walked.workspace, pool, since).await?;
        slice.end().await?;
        if let Some((counted, used)) = found {
            report.add(BookError::Day { workspace_id: id(walked.workspace), id: id(pool), counted, used });
        }
        Ok(())
    }
}

/// What the entries of a workspace come to up to the horizon.
struct Walked {
    workspace: Uuid,
    horizon: Uuid,
    tally: Tally,
    /// Of each pool an id before the first entry of its latest day.
    days: BTreeMap<Uuid, Uuid>,
}

impl Walked {
    async fn take(&mut self, slice: &Slice, span: Span, report: &mut BookReport) -> StoreResult<()> {
        self.tally.add(slice, span).await?;
        report.look_at(slice, span).await?;
        for pool in super::tally::bought_on_latest_day(slice, span).await? {
            self.days.entry(pool).or_insert(span.after);
        }
        Ok(())
    }

    /// What was booked beyond the horizon.
    async fn recent(&self, slice: &Slice, report: &mut BookReport) -> StoreResult<Tally> {
        let (mut recent, span) = (Tally::default(), Span::tail(self.workspace, self.horizon));
        recent.add(slice, span).await?;
        report.look_at(slice, span).await?;
        Ok(recent)
    }

    /// The next pools, and those of them that seem not to be what their entries come to.
    async fn compare(&self, slice: &Slice, recent: &Tally, after: Uuid) -> StoreResult<(Vec<Uuid>, BTreeSet<Uuid>)> {
        let text = format!(
            "SELECT id, {} FROM pools WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3",
            columns().collect::<Vec<_>>().join(", ")
        );
        let rows = slice.rows(&text, vec![self.workspace.into(), after.into(), POOLS_AT_ONCE.into()]).await?;
        let (mut pools, mut suspects) = (Vec::with_capacity(rows.len()), BTreeSet::new());
        for row in &rows {
            let pool: Uuid = cell(row, 0)?;
            for position in 0..Account::ALL.len() {
                let held: i64 = cell(row, position + 1)?;
                let booked = [&self.tally, recent].map(|tally| tally.balance(pool, position)).iter().sum::<i64>();
                if held != booked {
                    suspects.insert(pool);
                }
            }
            pools.push(pool);
        }
        let Some(last) = pools.last().copied() else { return Ok((pools, suspects)) };
        let mut exposed: BTreeMap<(Uuid, String), i64> = BTreeMap::new();
        for tally in [&self.tally, recent] {
            let of_these = tally.exposed.range((after, String::new())..).take_while(|((pool, _), _)| *pool <= last);
            for (key, cents) in of_these.filter(|((pool, _), _)| *pool > after) {
                *exposed.entry(key.clone()).or_default() += cents;
            }
        }
        let text = "SELECT pool_id, market_hash_name, exposed_cents FROM pool_exposures \
            WHERE workspace_id = $1 AND pool_id > $2 AND pool_id <= $3 AND exposed_cents <> 0";
        for row in slice.rows(text, vec![self.workspace.into(), after.into(), last.into()]).await? {
            let cents: i64 = cell(&row, 2)?;
            *exposed.entry((cell(&row, 0)?, cell(&row, 1)?)).or_default() -= cents;
        }
        suspects.extend(exposed.into_iter().filter(|(_, cents)| *cents != 0).map(|((pool, _), _)| pool));
        Ok((pools, suspects))
    }
}

impl BookReport {
    /// Counts the entries of a part of the ledger, and finds those that do not sum to zero.
    async fn look_at(&mut self, slice: &Slice, span: Span) -> StoreResult<()> {
        let (count, unbalanced) = super::tally::balance_of_entries(slice, span).await?;
        self.entries = self.entries.saturating_add(count);
        for entry in unbalanced {
            self.add(BookError::Unbalanced { workspace_id: id(span.workspace), id: id(entry) });
        }
        Ok(())
    }

    fn add(&mut self, finding: BookError) {
        if self.findings.len() < MAX_REPORTED {
            self.findings.push(finding);
        }
    }
}
