//! [`FindInventoryItemByAssetID`]: the item whose chain has an asset id.

use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations, fields};

/// A query for the item whose chain has an asset id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindInventoryItemByAssetID {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The asset id: 1 to 20 decimal digits.
    pub asset_id: String,
}

impl Operations {
    /// Gives the item that has or had an asset id, and the step of its chain at which it got it; of several the latest.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an invalid asset id, `not_found`.
    pub async fn find_inventory_item_by_asset_id(
        &self,
        caller: &Caller,
        command: FindInventoryItemByAssetID,
    ) -> OpResult<(InventoryItemId, u32)> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let asset_id = fields::asset_id("assetId", &command.asset_id)?;
        let found = self.ports.store.find_link_of_asset(scope, &asset_id).await?;
        found.ok_or_else(|| OpError::not_found("inventory item"))
    }
}
