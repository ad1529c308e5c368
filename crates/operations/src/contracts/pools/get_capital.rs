//! [`GetCapital`]: where the money of a workspace is.

use tradepost_domain::contracts::ledger::Balanced;
use tradepost_domain::contracts::ledger::report::{GroupKey, Grouping, ReportFilter};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::rules;
use crate::{OpResult, Operations};

/// A request for where the money of a workspace is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetCapital {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// Where the money of a workspace is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capital {
    /// The number of pools, archived ones included.
    pub pools: u32,
    /// The sums of their balances.
    pub balances: Balanced,
    /// The cost of unsold items that were bought without a pool, in cents.
    pub unpooled_inventory: i64,
}

impl Operations {
    /// Returns where the money of all pools is, and the cost of unsold items that were bought without one.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn get_capital(&self, caller: &Caller, command: GetCapital) -> OpResult<Capital> {
        let scope = rules::GET_CAPITAL.enter(&caller.principal, command.workspace_id)?;
        let together = self.ports.store.pools().sum_balances(scope).await?;
        let open = self.ports.store.reports().sum_positions(scope, Grouping::Pool, &ReportFilter::default()).await?;
        let unpooled =
            open.iter().filter(|position| position.key == GroupKey::None).map(|position| position.cost).sum();
        Ok(Capital { pools: together.pools, balances: together.balances, unpooled_inventory: unpooled })
    }
}
