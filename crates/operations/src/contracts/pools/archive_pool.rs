//! [`ArchivePool`]: archives a pool permanently.

use crate::contracts::pools::named_pools::pool_as_seen;
use crate::contracts::pools::pool_moves::move_pool;
use tradepost_domain::contracts::pool::{Pool, PoolEvent};
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Puts a pool away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchivePool {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// The version that the caller saw, from 1; rejected when the pool has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Archives a pool permanently, with the money that is available in it. What its purchases move later is still booked in it, and
    /// can be taken out.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` when it is archived, `POOL_HOLDS_MONEY` when any is reserved, paid, owed or in items,
    /// `POOL_IN_USE` when a contract that has not ended names it.
    pub async fn archive_pool(&self, caller: &Caller, command: ArchivePool) -> OpResult<Versioned<Pool>> {
        let scope = rules::ARCHIVE_POOL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let pool = pool_as_seen(self, scope, command.pool_id, command.expected_version).await?;
            // Read after the pool, because a later contract that names it gives it another version.
            let contracts = self.ports.store.contracts().count_live_of_pool(scope, command.pool_id).await?;
            let event = PoolEvent::Archived { contracts: u32::try_from(contracts).unwrap_or(u32::MAX) };
            move_pool(self, By { caller, at }, pool, event, None).await
        })
        .await
    }
}
