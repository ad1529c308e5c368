//! [`WriteOffItem`]: writes off an item that is no longer there, with nothing for it.

use crate::contracts::items::item_moves::take_item_step;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent};
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_ports::changes::Caller;

use super::item_moves::{Cause, ItemMove};
use crate::contracts::purchases::lifecycle_update::LifecycleUpdate;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Gives an item up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOffItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item, which must be lost: MISSING; SOLD with an open `MISSING_ITEM`, since its buyer has it, and the money as well; or
    /// `IN_INVENTORY`, DELIVERING or HELD with an account that is BANNED.
    pub inventory_item_id: InventoryItemId,
    /// Why, in 1 to 200 characters.
    pub reason: String,
    /// The version that the caller saw, from 1; rejected when the item has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Writes off an item that is missing, whose buyer kept both item and money, or whose account is banned. The engine no
    /// longer looks for it, and its cost is lost.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `STEP_UP_REQUIRED`, `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is lost, `ITEM_CLOSED`.
    pub async fn write_off_item(&self, caller: &Caller, command: WriteOffItem) -> OpResult<Versioned<InventoryItem>> {
        let scope = rules::WRITE_OFF_ITEM.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let reason: ReasonText = fields::text("reason", &command.reason)?;
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || async {
            let mut steps = LifecycleUpdate::new(self, caller, at).because(Some(reason.clone()));
            steps.require_step_up(scope, rules::WRITE_OFF_ITEM).await?;
            let found = self.ports.store.items().find(scope, command.inventory_item_id).await?;
            let seen = found.ok_or_else(|| OpError::not_found("inventory item"))?;
            let (item_id, cause) = (command.inventory_item_id, Cause::Event(ItemEvent::GivenUp));
            let wanted = ItemMove { item_id, expected_version: command.expected_version, cause };
            let item = take_item_step(self, &mut steps, scope, seen, wanted).await?.item;
            steps.audit(AuditKind::PurchaseItemWrittenOff, About::from(&item.value).with(Fact::Reason, &reason));
            steps.commit().await?;
            Ok(item.into())
        })
        .await
    }
}
