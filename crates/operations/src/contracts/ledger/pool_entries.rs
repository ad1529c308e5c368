//! What a step books: its ledger entries, and the purchase that counts for the day of a pool.

use tradepost_domain::contracts::ledger::{LedgerEntry, LedgerError};
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{AppendedRow, Changes, Seen};

/// The entries of a step.
#[derive(Debug, Clone)]
pub(crate) struct PoolEntries {
    /// The purchase before and after its step, if one took a step.
    pub(crate) moved: Option<(Option<Purchase>, Purchase)>,
    /// The entries, with the amounts of the step.
    pub(crate) entries: Vec<LedgerEntry>,
}

impl PoolEntries {
    /// Returns the pool after the entries. They get the amounts that the pool books, which deposits what is missing.
    pub(crate) fn book(&mut self, mut pool: Pool, at: Timestamp) -> Result<Pool, LedgerError> {
        if let Some((before, after)) = &self.moved {
            pool = pool.used(before.as_ref(), after);
        }
        for entry in &mut self.entries {
            let (next, amounts) = pool.book(&entry.amounts, at)?;
            (pool, entry.amounts) = (next, amounts);
        }
        Ok(pool)
    }

    /// Returns by how much the entries raise the money at stake in items, in cents.
    pub(crate) fn exposure(&self) -> i64 {
        self.entries.iter().map(|entry| entry.amounts.exposure()).fold(0, i64::saturating_add)
    }

    /// Adds the entries to the changes, and the pool after them, if they are under a pool.
    pub(crate) fn write(
        mut self,
        changes: &mut Changes,
        pool: Option<Seen<Pool>>,
        at: Timestamp,
    ) -> Result<(), LedgerError> {
        if let Some(pool) = pool {
            changes.revise(pool, |pool| self.book(pool, at))?;
        }
        self.append_to(changes);
        Ok(())
    }

    /// Adds the entries to the changes.
    pub(crate) fn append_to(self, changes: &mut Changes) {
        for entry in self.entries {
            changes.append(AppendedRow::Ledger(entry));
        }
    }
}
