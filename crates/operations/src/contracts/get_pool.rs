//! [`GetPool`]: one pool of a workspace.

use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, Versioned};

/// Asks for one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPool {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
}

impl Operations {
    /// Gives one pool.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_pool(&self, caller: &Caller, command: GetPool) -> OpResult<Versioned<Pool>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        Ok(self.pool_as_seen(scope, command.pool_id, None).await?.into())
    }
}
