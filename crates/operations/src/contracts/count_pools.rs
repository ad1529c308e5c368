//! [`CountPools`]: how many pools have each status.

use tradepost_domain::contracts::pool::PoolStatus;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::answers::every_status;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, StatusCount};

/// Asks for the number of pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountPools {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Counts pools: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_pools(&self, caller: &Caller, command: CountPools) -> OpResult<Vec<StatusCount<PoolStatus>>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let counted = self.ports.store.count_by_status(scope, Kind::Pool, None).await?;
        Ok(every_status(PoolStatus::ALL, PoolStatus::code, &counted))
    }
}
