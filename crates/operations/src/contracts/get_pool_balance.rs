//! [`GetPoolBalance`]: where the money of a pool is.

use tradepost_domain::contracts::ledger::Balanced;
use tradepost_domain::id::{PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, Versioned};

/// Asks for the balances of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetPoolBalance {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
}

impl Operations {
    /// Gives the balances of a pool by account, at the version of the pool: what its entries of the ledger come to.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_pool_balance(&self, caller: &Caller, command: GetPoolBalance) -> OpResult<Versioned<Balanced>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let (pool, version) = self.pool_as_seen(scope, command.pool_id, None).await?.only_to_show();
        Ok(Versioned { value: pool.into_parts().balances, version })
    }
}
