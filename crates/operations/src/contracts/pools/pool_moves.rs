//! Moves of a pool: the steps of its life, with their rows in the log, and its money, with the entries that record it.

use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::ledger::{Balanced, LedgerEntry, Posting};
use tradepost_domain::contracts::pool::{FundsError, Pool, PoolEvent};
use tradepost_domain::money::SignedCents;
use tradepost_domain::text::Description;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Caller, Changes, Revised, Seen};

use crate::commit::Step;
use crate::{OpResult, Operations, Versioned};

/// The record of a money move without a purchase.
pub(crate) struct LedgerNote {
    pub(crate) posting: Posting,
    pub(crate) reason: Description,
    pub(crate) at: Timestamp,
}

impl Operations {
    /// Takes a step of a pool's life, and commits it.
    pub(crate) async fn move_pool(
        &self,
        (caller, at): (&Caller, Timestamp),
        seen: Seen<Pool>,
        event: PoolEvent,
        (kind, reason): (AuditKind, Option<&Description>),
    ) -> OpResult<Versioned<Pool>> {
        let mut changes = Changes::by(caller);
        let from = seen.peek().status;
        let moved = changes.revise(seen, |pool| pool.apply(event, at))?;
        let step = Step {
            subject: Subject::Pool(moved.value.id),
            from: Some(from.as_str()),
            to: moved.value.status.as_str(),
            version: moved.version,
            trigger: event.name(),
        };
        let logged = self.transition(caller, moved.value.workspace_id, step, at);
        changes.append(AppendedRow::Transition(Transition { reason: reason.cloned(), ..logged }));
        let about = About::from(&moved.value);
        changes.audit(kind, reason.iter().fold(about, |about, reason| about.with(Fact::Reason, *reason)));
        self.commit(caller, changes).await?;
        Ok(moved.into())
    }

    /// Moves the money of a pool as `decide` says, with the entry that records it.
    pub(crate) fn move_funds(
        &self,
        changes: &mut Changes,
        seen: Seen<Pool>,
        remark: LedgerNote,
        decide: impl FnOnce(Pool) -> Result<(Pool, Balanced), FundsError>,
    ) -> OpResult<Revised<Pool>> {
        let mut amounts = Balanced::default();
        let moved = changes.revise(seen, |pool| {
            let (pool, written) = decide(pool)?;
            amounts = written;
            Ok::<_, FundsError>(pool)
        })?;
        changes.append(AppendedRow::Ledger(LedgerEntry {
            id: self.mint(),
            workspace_id: moved.value.workspace_id,
            pool_id: Some(moved.value.id),
            posting: remark.posting,
            amounts,
            pending: SignedCents::ZERO,
            trade: None,
            reason: Some(remark.reason),
            at: remark.at,
        }));
        Ok(moved)
    }
}
