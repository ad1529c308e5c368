//! [`GetInventoryItem`]: one inventory item of a workspace.

use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations, Versioned};

/// Asks for one inventory item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetInventoryItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory item.
    pub inventory_item_id: InventoryItemId,
}

impl Operations {
    /// Gives one inventory item.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_inventory_item(
        &self,
        caller: &Caller,
        command: GetInventoryItem,
    ) -> OpResult<Versioned<InventoryItem>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let found = self.ports.store.find_item(scope, command.inventory_item_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("inventory item"))
    }
}
