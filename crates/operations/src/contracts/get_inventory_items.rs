//! [`GetInventoryItems`]: up to 200 inventory items of a workspace at once.

use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::{InventoryItemId, OfInventoryItem, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpResult, Operations, fields};

/// Asks for several inventory items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetInventoryItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory items, 1 to 200.
    pub inventory_item_ids: Vec<InventoryItemId>,
}

impl Operations {
    /// Gives several inventory items in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_inventory_items(
        &self,
        caller: &Caller,
        command: GetInventoryItems,
    ) -> OpResult<Batch<InventoryItem, OfInventoryItem>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("inventoryItemIds", &command.inventory_item_ids)?;
        let found = self.ports.store.find_items(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
