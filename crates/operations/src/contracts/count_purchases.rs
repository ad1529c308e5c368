//! [`CountPurchases`]: how many purchases have each status, from counters that are kept with every change.

use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::answers::every_status;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, StatusCount};

/// Asks for the number of purchases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only purchases of this contract.
    pub contract_id: Option<ContractId>,
}

impl Operations {
    /// Counts purchases: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_purchases(
        &self,
        caller: &Caller,
        command: CountPurchases,
    ) -> OpResult<Vec<StatusCount<PurchaseStatus>>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let counted = self.ports.store.count_by_status(scope, Kind::Purchase, command.contract_id).await?;
        Ok(every_status(PurchaseStatus::ALL, PurchaseStatus::code, &counted))
    }
}
