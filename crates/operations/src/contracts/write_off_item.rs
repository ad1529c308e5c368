//! [`WriteOffItem`]: gives an item up that is not there any more, with nothing for it.

use tradepost_domain::access::WorkspaceScope;
use tradepost_domain::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_domain::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::remediation::{Remediation, RemediationKind};
use tradepost_domain::text::Reason;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Seen};

use super::steps::Steps;
use crate::answers::require_version;
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Gives an item up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOffItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item, which must be MISSING, or SOLD with an open `MISSING_ITEM`: its buyer has it, and the money as well.
    pub inventory_item_id: InventoryItemId,
    /// Why, in 1 to 200 characters.
    pub reason: String,
    /// The version that the caller saw, from 1; refused when the item has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Gives an item up that is missing, or that its buyer has kept with the money. It is not looked for any more, and what it cost is
    /// lost.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`,
    /// `failed_precondition`: `STEP_UP_REQUIRED`, `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is lost, `ITEM_CLOSED`.
    pub async fn write_off_item(&self, caller: &Caller, command: WriteOffItem) -> OpResult<Versioned<InventoryItem>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        fields::expected_version(command.expected_version)?;
        let reason: Reason = fields::text("reason", &command.reason)?;
        let at = self.market_now();
        self.in_turn(command.workspace_id, || async {
            let mut steps = Steps::new(self, caller, at).because(Some(reason.clone()));
            steps.require_step_up(scope, "WriteOffItem").await?;
            let found = self.ports.store.find_item(scope, command.inventory_item_id).await?;
            let seen = found.ok_or_else(|| OpError::not_found("inventory item"))?;
            require_version(&seen, command.expected_version)?;
            if let Some(remediation) = self.require_lost(scope, seen.peek()).await? {
                steps.rely_on(remediation);
            }
            let event = ItemEvent::GivenUp;
            let item = steps.item(scope, seen, event.name(), |item| item.apply(event, at)).await?.item;
            steps.audit(AuditKind::PurchaseItemWrittenOff, About::from(&item.value).with(Fact::Reason, &reason));
            steps.commit().await?;
            Ok(item.into())
        })
        .await
    }

    /// What was given is lost only where its buyer was seen to have the money back, which is what this gives: anything else of it is
    /// still to be paid.
    async fn require_lost(&self, scope: WorkspaceScope, item: &InventoryItem) -> OpResult<Option<Seen<Remediation>>> {
        if item.status != ItemStatus::Sold {
            return Ok(None);
        }
        let live = self.ports.store.list_live_remediations_of(scope, Subject::InventoryItem(item.id)).await?;
        let kept = live.into_iter().find(|remediation| remediation.peek().kind == RemediationKind::MissingItem);
        let message = "an item that was sold is given up only once it is missing: its proceeds may still come";
        kept.map(Some).ok_or_else(|| OpError::failed_precondition("ILLEGAL_STEP", message))
    }
}
