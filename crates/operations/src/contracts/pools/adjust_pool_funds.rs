//! [`AdjustPoolFunds`]: puts capital into a pool, or takes it out.

use crate::contracts::pools::named_pools::pool_as_seen;
use crate::contracts::pools::pool_moves::move_funds;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::ledger::Posting;
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_domain::money::SignedCents;
use tradepost_domain::text::Description;
use tradepost_ports::changes::{Caller, Changes};

use super::pool_moves::LedgerNote;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Puts capital in, or takes it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdjustPoolFunds {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// The amount in cents: more than 0 to deposit, less than 0 to withdraw.
    pub delta_cents: i64,
    /// Why, in 1 to 512 characters; kept with the entry of the ledger.
    pub reason: String,
    /// The version that the caller saw, from 1; rejected when the pool has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deposits capital into a pool, or withdraws what is available. An archived pool permits only withdrawals.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for no amount, one beyond 10^13 cents or a bad reason; `failed_precondition` with
    /// `STEP_UP_REQUIRED`; `not_found`; `failed_precondition`: `VERSION_MISMATCH`, `POOL_ARCHIVED`, `ABOVE_POOL_BUDGET`,
    /// `POOL_FUNDS_TOO_LOW`.
    pub async fn adjust_pool_funds(&self, caller: &Caller, command: AdjustPoolFunds) -> OpResult<Versioned<Pool>> {
        let scope = rules::ADJUST_POOL_FUNDS.enter(&caller.principal, command.workspace_id)?;
        let delta = SignedCents::new(command.delta_cents).ok().filter(|delta| *delta != SignedCents::ZERO);
        let delta = delta.ok_or_else(|| {
            OpError::invalid_field("deltaCents", "must not be 0, and lie within 10^13 cents either way")
        })?;
        let reason: Description = fields::text("reason", &command.reason)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::ADJUST_POOL_FUNDS, &mut changes).await?;
            let pool = pool_as_seen(self, scope, command.pool_id, command.expected_version).await?;
            let remark = LedgerNote { posting: Posting::FundsAdjusted, reason: reason.clone(), at };
            let moved = move_funds(self, &mut changes, pool, remark, |pool| pool.adjust(delta, at))?;
            let about = About::from(&moved.value).with(Fact::AmountCents, &delta).with(Fact::Reason, &reason);
            changes.audit(AuditKind::PoolFundsAdjusted, about);
            self.commit(caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
