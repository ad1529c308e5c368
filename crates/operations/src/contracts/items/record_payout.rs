//! [`RecordPayout`]: a marketplace paid out its debt to a pool. Not an operation of the interface.

use crate::contracts::pools::named_pools::pool_as_seen;
use crate::contracts::pools::pool_moves::move_funds;
use tradepost_domain::contracts::ledger::Posting;
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_ports::changes::{Caller, Changes};

use crate::contracts::pools::pool_moves::LedgerNote;
use crate::rules::WRITE_TRADING;
use crate::{OpResult, Operations, Versioned, fields};

/// A report that a marketplace paid out, or that its debt can be spent there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPayout {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// The amount in cents, more than 0.
    pub amount_cents: i64,
    /// The marketplace's identifier of the payout, 1 to 512 characters; kept with the entry of the ledger.
    pub payout: String,
}

impl Operations {
    /// Makes money that marketplaces owed a pool available again.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no amount, `not_found`, `failed_precondition`: `POOL_FUNDS_TOO_LOW` for more than is
    /// owed.
    pub async fn record_payout(&self, caller: &Caller, command: RecordPayout) -> OpResult<Versioned<Pool>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        let amount = fields::cents("amountCents", command.amount_cents)?;
        let reason: Description = fields::text("payout", &command.payout)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let pool = pool_as_seen(self, scope, command.pool_id, None).await?;
            let mut changes = Changes::by(caller);
            let remark = LedgerNote { posting: Posting::PaidOut, reason: reason.clone(), at };
            let moved = move_funds(self, &mut changes, pool, remark, |pool| pool.pay_out(amount, at))?;
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
