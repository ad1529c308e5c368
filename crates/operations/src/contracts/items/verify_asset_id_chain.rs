//! [`VerifyAssetIDChain`]: checks a stored chain against every law of chains.

use crate::contracts::items::chains::whole_chain;
use tradepost_domain::contracts::chain::{self, ChainProblem};
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules;
use crate::{OpError, OpResult, Operations};

/// A request for a check of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifyAssetIDChain {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
}

impl Operations {
    /// Checks an item's chain. Gives every law that is broken, with the step and in words; none when the chain is valid.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` for an unknown item.
    pub async fn verify_asset_id_chain(
        &self,
        caller: &Caller,
        command: VerifyAssetIDChain,
    ) -> OpResult<Vec<ChainProblem>> {
        let scope = rules::VERIFY_ASSET_ID_CHAIN.enter(&caller.principal, command.workspace_id)?;
        let unknown = || OpError::not_found("inventory item");
        let item = self.ports.store.items().find(scope, command.inventory_item_id).await?.ok_or_else(unknown)?;
        let mut links = whole_chain(self, scope, command.inventory_item_id).await?;
        let (item, version) = item.into_display();
        let expected = usize::try_from(item.head.step).unwrap_or(usize::MAX).saturating_add(1);
        if links.len() > expected {
            // Either the chain has grown since the item was read, or the item lost track of it.
            let again = self.ports.store.items().find(scope, command.inventory_item_id).await?.ok_or_else(unknown)?;
            if again.stamp().version != version {
                links.truncate(expected);
            }
        }
        Ok(chain::verify(&links, item.chain_owner(), &item.head))
    }
}
