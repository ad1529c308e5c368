//! Reading what waits, by status, and telling the operations what was seen.

use tradepost_domain::id::{ContractId, InventoryItemId, PurchaseId};
use tradepost_domain::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_operations::contracts::{
    AdvanceItem, AdvancePurchase, GetInventoryItems, GetPurchases, ListInventoryItems, ListPurchases,
};
use tradepost_operations::{OpResult, Versioned};

use crate::Engine;
use crate::trouble::Tried;

/// As many as the operations give at once.
pub(crate) const PAGE: i32 = 200;

impl Engine {
    /// Every purchase in a status that was made where this node works. Others are somebody else's to follow.
    pub(crate) async fn purchases(&self, status: PurchaseStatus) -> OpResult<Vec<Versioned<Purchase>>> {
        let mut found = self.purchases_of(None, Some(status)).await?;
        found.retain(|purchase| self.works_at(&purchase.value.terms.marketplace));
        Ok(found)
    }

    /// Every purchase of a contract, or in a status.
    pub(crate) async fn purchases_of(
        &self,
        contract_id: Option<ContractId>,
        status: Option<PurchaseStatus>,
    ) -> OpResult<Vec<Versioned<Purchase>>> {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let workspace_id = self.desk.workspace_id;
            let list = ListPurchases { workspace_id, limit: PAGE, cursor, contract_id, status };
            let page = self.operations.list_purchases(&self.caller, list).await?;
            found.extend(self.purchases_by_id(page.entries).await?);
            if page.next_cursor.is_empty() {
                return Ok(found);
            }
            cursor = page.next_cursor;
        }
    }

    /// These purchases, at most a page of them.
    pub(crate) async fn purchases_by_id(&self, purchase_ids: Vec<PurchaseId>) -> OpResult<Vec<Versioned<Purchase>>> {
        if purchase_ids.is_empty() {
            return Ok(Vec::new());
        }
        let get = GetPurchases { workspace_id: self.desk.workspace_id, purchase_ids };
        Ok(self.operations.get_purchases(&self.caller, get).await?.found)
    }

    /// Every item in a status that a trading account of the desk holds.
    pub(crate) async fn items(&self, status: ItemStatus) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let list = ListInventoryItems {
                workspace_id: self.desk.workspace_id,
                limit: PAGE,
                cursor,
                contract_id: None,
                status: Some(status),
            };
            let page = self.operations.list_inventory_items(&self.caller, list).await?;
            let items = self.items_by_id(page.entries).await?;
            found.extend(items.into_iter().filter(|item| self.desk.account(&item.value.account_name).is_some()));
            if page.next_cursor.is_empty() {
                return Ok(found);
            }
            cursor = page.next_cursor;
        }
    }

    pub(crate) async fn items_by_id(
        &self,
        inventory_item_ids: Vec<InventoryItemId>,
    ) -> OpResult<Vec<Versioned<InventoryItem>>> {
        if inventory_item_ids.is_empty() {
            return Ok(Vec::new());
        }
        let get = GetInventoryItems { workspace_id: self.desk.workspace_id, inventory_item_ids };
        Ok(self.operations.get_inventory_items(&self.caller, get).await?.found)
    }

    /// Tells what happened to a purchase, which must still be the one that was seen.
    pub(crate) async fn tell(&self, seen: &Versioned<Purchase>, event: PurchaseEvent) -> Tried<Versioned<Purchase>> {
        let command = AdvancePurchase {
            workspace_id: self.desk.workspace_id,
            purchase_id: seen.value.terms.id,
            event,
            expected_version: Some(seen.version),
        };
        Ok(self.operations.advance_purchase(&self.caller, command).await?)
    }

    /// Tells what happened to an item, which must still be the one that was seen.
    pub(crate) async fn tell_item(
        &self,
        seen: &Versioned<InventoryItem>,
        event: ItemEvent,
    ) -> Tried<Versioned<InventoryItem>> {
        let command = AdvanceItem {
            workspace_id: self.desk.workspace_id,
            inventory_item_id: seen.value.id,
            event,
            expected_version: Some(seen.version),
        };
        Ok(self.operations.advance_item(&self.caller, command).await?)
    }
}
