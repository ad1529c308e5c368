//! [`GetItemProfitAndLoss`]: the cost and the proceeds of one item, entry by entry.

use crate::contracts::profit_and_loss::reports::exit_fee;
use crate::contracts::profit_and_loss::reports::values_of;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::ledger::LedgerEntry;
use tradepost_domain::contracts::ledger::report::{Figures, Open};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_domain::markets::variant::Variant;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::StoreError;

use crate::rules;
use crate::{OpError, OpResult, Operations};

/// A request for the cost and the proceeds of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetItemProfitAndLoss {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
}

/// The response of [`Operations::get_item_profit_and_loss`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemProfitAndLoss {
    /// The sums of the entries; the buyer's fee is included as soon as the item exists.
    pub figures: Figures,
    /// The proceeds of selling it, as long as it is open.
    pub open: Open,
    /// The entries of the item and of the purchase that brought it, the oldest first.
    pub entries: Vec<LedgerEntry>,
}

impl Operations {
    /// Returns the cost and the proceeds of one item so far.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_item_profit_and_loss(
        &self,
        caller: &Caller,
        command: GetItemProfitAndLoss,
    ) -> OpResult<ItemProfitAndLoss> {
        let scope = rules::GET_ITEM_PROFIT_AND_LOSS.enter(&caller.principal, command.workspace_id)?;
        let item = self.ports.store.items().find(scope, command.inventory_item_id).await?;
        let (item, _) = item.ok_or_else(|| OpError::not_found("inventory item"))?.into_display();
        let entries = self.ports.store.ledger().list_of_purchase(scope, item.purchase_id).await?;
        let mut figures = entries.iter().fold(Figures::default(), |sum, entry| sum.plus(Figures::of(entry)));
        let purchase = self.ports.store.purchases().find(scope, item.purchase_id).await?;
        let purchase = purchase.ok_or_else(|| StoreError::Corrupt("an item has no purchase".to_owned()))?;
        if matches!(purchase.peek().status, PurchaseStatus::Traded | PurchaseStatus::Settled) {
            // It was paid with the item, whether that is sold yet or not.
            figures.buy_fees = purchase.peek().platform_fee().get();
        }
        let open =
            if item.status.is_open() { self.open_item(scope, &item, purchase.peek()).await? } else { Open::default() };
        Ok(ItemProfitAndLoss { figures, open, entries })
    }

    async fn open_item(&self, scope: WorkspaceScope, item: &InventoryItem, purchase: &Purchase) -> OpResult<Open> {
        let variant = Variant {
            app_id: item.app_id,
            market_hash_name: item.market_hash_name.clone(),
            phase: item.traits.phase.clone(),
        };
        let values = values_of(self, scope, vec![variant.clone()]).await?;
        let fee = exit_fee(self, self.ports.store.records(), scope).await?;
        let value = values.get(&variant).copied();
        Ok(purchase.known_cost().map_or(Open::of_unknown_cost(1), |cost| Open::of(1, cost.get(), value, fee)))
    }
}
