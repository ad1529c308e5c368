//! Moves of a pool: the steps of its life, with their rows in the log, and its money, with the entries that record it.

use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::ledger::{Balanced, LedgerEntry, Posting};
use tradepost_domain::contracts::pool::{FundsError, Pool, PoolEvent};
use tradepost_domain::money::SignedCents;
use tradepost_domain::text::Description;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};

use crate::commit::{By, Step};
use crate::{OpResult, Operations, Versioned};

/// The record of a money move without a purchase.
pub(crate) struct LedgerNote {
    pub(crate) posting: Posting,
    pub(crate) reason: Description,
    pub(crate) at: Timestamp,
}

/// Takes a step of a pool's life, and commits it.
pub(crate) async fn move_pool(
    operations: &Operations,
    by: By<'_>,
    seen: Seen<Pool>,
    event: PoolEvent,
    reason: Option<&Description>,
) -> OpResult<Versioned<Pool>> {
    let mut changes = Changes::by(by.caller);
    let from = seen.peek().status;
    let moved = changes.revise(seen, |pool| pool.apply(event, by.at))?;
    let step = Step {
        subject: Subject::Pool(moved.value.id),
        from: Some(from.as_str()),
        to: moved.value.status.as_str(),
        version: moved.version,
        trigger: event.name(),
    };
    let logged = operations.transition(by.caller, moved.value.workspace_id, step, by.at);
    changes.append(AppendedRow::Transition(Transition { reason: reason.cloned(), ..logged }));
    let about = About::from(&moved.value);
    let about = reason.iter().fold(about, |about, reason| about.with(Fact::Reason, *reason));
    changes.audit(audited_as(event), about);
    operations.commit(by.caller, changes).await?;
    Ok(moved.into())
}

/// Moves the money of a pool as `decide` says, with the entry that records it.
pub(crate) fn move_funds(
    operations: &Operations,
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
        id: operations.mint(),
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

const fn audited_as(event: PoolEvent) -> AuditKind {
    match event {
        PoolEvent::Paused => AuditKind::PoolPaused,
        PoolEvent::Resumed => AuditKind::PoolResumed,
        PoolEvent::Archived { .. } => AuditKind::PoolArchived,
    }
}
