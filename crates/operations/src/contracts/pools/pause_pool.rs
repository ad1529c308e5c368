//! [`PausePool`]: lets nothing new be bought from a pool until it is resumed.

use crate::contracts::pools::named_pools::pool_as_seen;
use crate::contracts::pools::pool_moves::move_pool;
use tradepost_domain::contracts::pool::{Pool, PoolEvent};
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_ports::changes::Caller;
use tradepost_ports::held::Effect;

use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Stops a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PausePool {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// Why, in 1 to 512 characters; kept in the log of status changes.
    pub reason: Option<String>,
    /// The version that the caller saw, from 1; rejected when the pool has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Pauses a pool: it funds no new purchases until it is resumed. The engine completes reserved purchases.
    /// Contracts that buy from it are suspended while it is paused.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is active.
    pub async fn pause_pool(&self, caller: &Caller, command: PausePool) -> OpResult<Versioned<Pool>> {
        let scope = rules::PAUSE_POOL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let reason: Option<Description> =
            command.reason.as_deref().map(|reason| fields::text("reason", reason)).transpose()?;
        let at = self.market_now(command.workspace_id);
        let moved = self.in_turn(command.workspace_id, || async {
            let pool = pool_as_seen(self, scope, command.pool_id, command.expected_version).await?;
            move_pool(self, By { caller, at }, pool, PoolEvent::Paused, reason.as_ref()).await
        });
        let moved = moved.await?;
        self.follow_with(caller, Effect::HaltsChanged(command.workspace_id)).await;
        Ok(moved)
    }
}
