//! [`ResumePool`]: sets a pool that was paused to work again.

use crate::contracts::pools::named_pools::pool_as_seen;
use crate::contracts::pools::pool_moves::move_pool;
use tradepost_domain::contracts::pool::{Pool, PoolEvent};
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::held::Effect;

use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Sets a paused pool to work again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumePool {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// The version that the caller saw, from 1; rejected when the pool has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Sets a paused pool to work again, and with it the contracts that were suspended for its sake.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is paused.
    pub async fn resume_pool(&self, caller: &Caller, command: ResumePool) -> OpResult<Versioned<Pool>> {
        let scope = rules::RESUME_POOL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        let moved = self.in_turn(command.workspace_id, || async {
            let pool = pool_as_seen(self, scope, command.pool_id, command.expected_version).await?;
            move_pool(self, By { caller, at }, pool, PoolEvent::Resumed, None).await
        });
        let moved = moved.await?;
        self.follow_with(caller, Effect::HaltsChanged(command.workspace_id)).await;
        Ok(moved)
    }
}
