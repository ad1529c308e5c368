//! [`CountInventoryItems`]: how many inventory items have each status, from counters that are kept with every change.

use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::answers::every_status;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, StatusCount};

/// Asks for the number of inventory items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountInventoryItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only inventory items of this contract.
    pub contract_id: Option<ContractId>,
}

impl Operations {
    /// Counts inventory items: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_inventory_items(
        &self,
        caller: &Caller,
        command: CountInventoryItems,
    ) -> OpResult<Vec<StatusCount<ItemStatus>>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let counted = self.ports.store.count_by_status(scope, Kind::InventoryItem, command.contract_id).await?;
        Ok(every_status(ItemStatus::ALL, ItemStatus::code, &counted))
    }
}
