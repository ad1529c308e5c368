//! [`GetPools`]: up to 200 pools of a workspace at once.

use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::id::{OfPool, PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpResult, Operations, fields};

/// Asks for several pools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPools {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pools, 1 to 200.
    pub pool_ids: Vec<PoolId>,
}

impl Operations {
    /// Gives several pools in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_pools(&self, caller: &Caller, command: GetPools) -> OpResult<Batch<Pool, OfPool>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("poolIds", &command.pool_ids)?;
        let found = self.ports.store.find_pools(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
