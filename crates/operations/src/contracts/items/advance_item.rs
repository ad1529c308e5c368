//! [`AdvanceItem`]: reports what happened to an inventory item. No operation of the interface.

use crate::contracts::items::item_moves::move_item;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent};
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_ports::changes::Caller;

use super::item_moves::{Cause, ItemMove};
use crate::rules::WRITE_TRADING;
use crate::{OpResult, Operations, Versioned, fields};

/// A report of what happened to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvanceItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The event, with its evidence.
    pub event: ItemEvent,
    /// The version that the caller saw; rejected when the item has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Takes the step that an event leads to, with the link that it adds to the chain. An event whose fact is on record
    /// already changes nothing. A reversed purchase takes its own step in the same commit.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP`, `ITEM_CLOSED`, the
    /// event's guard (`ITEM_LOCKED`, `OTHER_LISTING`, `OTHER_ASSET`, `TOO_EARLY`) or a law of the chain; of an item that is
    /// put on sale `PROVIDER_DISABLED`, and when the contract that begins to sell it does not allow it: `CONTRACT_NOT_ACTIVE`,
    /// `CONTRACT_NEVER_SELLS`, `OTHER_MARKETPLACE`, `CONTRACT_OUT_OF_TIME`, `BELOW_FLOOR`, `TOO_MANY_LISTED`;
    /// `invalid_argument` for an event that cannot be, and for an expected version below 1.
    pub async fn advance_item(&self, caller: &Caller, command: AdvanceItem) -> OpResult<Versioned<InventoryItem>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        let wanted = ItemMove {
            item_id: command.inventory_item_id,
            expected_version: command.expected_version,
            cause: Cause::Event(command.event),
        };
        self.in_turn(command.workspace_id, || async { Ok(move_item(self, caller, scope, &wanted, at).await?.item) })
            .await
    }
}
