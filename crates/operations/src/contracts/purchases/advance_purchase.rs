//! [`AdvancePurchase`]: reports what happened to a purchase. No operation of the interface.

use crate::contracts::items::chains::whole_chain;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::StoreError;

use super::lifecycle_update::LifecycleUpdate;
use crate::results::require_version;
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// A report of what happened to a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvancePurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The event, with its evidence. [`ReceiveItem`](crate::contracts::ReceiveItem) reports a received item instead, because
    /// it knows the item.
    pub event: PurchaseEvent,
    /// The version that the caller saw; rejected when the purchase has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Takes the step that an event leads to, and moves the contract's counters in the same commit. An event that is on
    /// record already, on the same evidence, changes nothing. A reversed trade takes the item with it: its chain gets a
    /// `purchase_reversal` and it is closed. An item that was written off stays so, and what was lost with it is owed.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `VERSION_MISMATCH`, `ILLEGAL_STEP`, `TRADING_HALTED`,
    /// `PROVIDER_DISABLED` and `CONTRACT_NOT_ACTIVE` on submission, the event's guard (`TOO_EXPENSIVE`, `TOO_EARLY`,
    /// `ABSENCE_NOT_PROVEN`, `OFFER_ASKS_FOR_OURS`, `OTHER_TRADE`), `ORDER_OWNED` for an order that another purchase has, or what
    /// keeps the item from going back; `invalid_argument` for an event that cannot be, and for an expected version below 1.
    pub async fn advance_purchase(&self, caller: &Caller, command: AdvancePurchase) -> OpResult<Versioned<Purchase>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        fields::expected_version(command.expected_version)?;
        if matches!(command.event, PurchaseEvent::ItemReceived { .. }) {
            return Err(OpError::invalid_field("event", "is item_received: use ReceiveItem, with the item"));
        }
        let at = self.market_now(command.workspace_id);
        self.in_turn(command.workspace_id, || self.move_purchase(caller, scope, &command, at)).await
    }

    async fn move_purchase(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        command: &AdvancePurchase,
        at: Timestamp,
    ) -> OpResult<Versioned<Purchase>> {
        let found = self.ports.store.purchases().find(scope, command.purchase_id).await?;
        let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
        if self.is_repeat(scope, seen.peek(), &command.event).await? {
            return Ok(seen.into());
        }
        require_version(&seen, command.expected_version)?;
        let mut steps = LifecycleUpdate::new(self, caller, at);
        let moved = steps.purchase(scope, seen, command.event.clone()).await?;
        if let PurchaseEvent::TradeReversed { rollback_trade_id } = &command.event {
            self.take_item_back(&mut steps, scope, &moved.value, rollback_trade_id.clone()).await?;
        }
        steps.commit().await?;
        Ok(moved.into())
    }

    /// Returns whether the purchase has taken this step before, on the same evidence. That of a reversal is in the item's chain; an
    /// item that was written off before has none.
    async fn is_repeat(&self, scope: WorkspaceScope, purchase: &Purchase, event: &PurchaseEvent) -> OpResult<bool> {
        let PurchaseEvent::TradeReversed { rollback_trade_id } = event else { return Ok(purchase.has_seen(event)) };
        let was_reverted =
            purchase.was_traded() && !matches!(purchase.status, PurchaseStatus::Traded | PurchaseStatus::Settled);
        if !was_reverted {
            return Ok(false);
        }
        let item = self.ports.store.items().find_of_purchase(scope, purchase.terms.id).await?.ok_or_else(no_item)?;
        if item.peek().status == ItemStatus::WrittenOff {
            return Ok(true);
        }
        let chain = whole_chain(self, scope, item.peek().id).await?;
        let last = chain.last().filter(|last| last.source == Source::PurchaseReversal);
        Ok(last.is_some_and(|last| last.source_id == *rollback_trade_id))
    }

    async fn take_item_back(
        &self,
        steps: &mut LifecycleUpdate<'_>,
        scope: WorkspaceScope,
        purchase: &Purchase,
        rollback_trade_id: ExternalId,
    ) -> OpResult<()> {
        let item = self.ports.store.items().find_of_purchase(scope, purchase.terms.id).await?.ok_or_else(no_item)?;
        if item.peek().status == ItemStatus::WrittenOff {
            // An item that was written off stays so, and its chain has ended; but its cost is owed, and not lost.
            return steps.recover(scope, item.peek(), purchase);
        }
        let (event, at) = (ItemEvent::PurchaseReversed { rollback_trade_id, asset_id: None }, steps.at());
        steps.item(scope, item, event.name(), |item| item.apply(event, at)).await?;
        Ok(())
    }
}

fn no_item() -> OpError {
    StoreError::Corrupt("a traded purchase has no item".to_owned()).into()
}
