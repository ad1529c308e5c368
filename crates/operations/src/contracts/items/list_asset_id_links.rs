//! [`ListAssetIDLinks`]: the asset-id chain of an inventory item, ordered by step.

use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::paging::{ListKey, page_size};
use crate::rules;
use crate::{OpError, OpResult, Operations, PageOf};

/// A request for a page of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAssetIDLinks {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The maximum of links on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

impl Operations {
    /// Returns a page of an item's chain, ordered by step.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` for an unknown item, `invalid_argument` for a negative limit or a cursor that this
    /// list did not give out.
    pub async fn list_asset_id_links(
        &self,
        caller: &Caller,
        command: ListAssetIDLinks,
    ) -> OpResult<PageOf<AssetIdLink>> {
        let scope = rules::LIST_ASSET_ID_LINKS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("asset id links", scope).and_id(Some(command.inventory_item_id));
        let limit = page_size(command.limit)?;
        let next_step = self.read_cursor(&key, &command.cursor)?.map_or(0, step_at);
        // One more than the page holds shows whether another page follows.
        let wanted = limit.saturating_add(1);
        let links = self.ports.store.items().list_links(scope, command.inventory_item_id, next_step, wanted).await?;
        let mut entries = links.ok_or_else(|| OpError::not_found("inventory item"))?;
        let following = entries.get(limit as usize).map(|link| link.step);
        entries.truncate(limit as usize);
        let next_cursor = following.map(|step| self.write_cursor(&key, position_of(step))).unwrap_or_default();
        Ok(PageOf { entries, next_cursor })
    }
}

/// Returns a step as the place in a list that a cursor holds.
fn position_of(step: u32) -> [u8; 16] {
    u128::from(step).to_be_bytes()
}

fn step_at(position: [u8; 16]) -> u32 {
    let [.., a, b, c, d] = position;
    u32::from_be_bytes([a, b, c, d])
}
