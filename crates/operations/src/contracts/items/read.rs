//! Reads of items.

use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{ContractId, InventoryItemId, OfInventoryItem, WorkspaceId};
use tradepost_domain::text::{AccountName, MarketHashName};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::ItemFilter;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one inventory item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetInventoryItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory item.
    pub inventory_item_id: InventoryItemId,
}

/// A request for several inventory items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetInventoryItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory items, 1 to 200.
    pub inventory_item_ids: Vec<InventoryItemId>,
}

/// A query for the item whose chain has an asset id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindInventoryItemByAssetID {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The asset id: 1 to 20 decimal digits.
    pub asset_id: String,
}

/// A request for a page of inventory items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListInventoryItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only inventory items of this contract.
    pub contract_id: Option<ContractId>,
    /// Only inventory items in this status.
    pub status: Option<ItemStatus>,
    /// Only inventory items of this market name; empty for all.
    pub market_hash_name: String,
    /// Only inventory items with the trading account of this name; empty for all.
    pub account_name: String,
}

/// A request for the number of inventory items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountInventoryItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only inventory items of this contract.
    pub contract_id: Option<ContractId>,
}

impl Operations {
    /// Returns one inventory item.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_inventory_item(
        &self,
        caller: &Caller,
        command: GetInventoryItem,
    ) -> OpResult<Versioned<InventoryItem>> {
        let scope = rules::GET_INVENTORY_ITEM.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.items().find(scope, command.inventory_item_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("inventory item"))
    }

    /// Returns several inventory items in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_inventory_items(
        &self,
        caller: &Caller,
        command: GetInventoryItems,
    ) -> OpResult<Batch<InventoryItem, OfInventoryItem>> {
        let scope = rules::GET_INVENTORY_ITEMS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("inventoryItemIds", &command.inventory_item_ids)?;
        let found = self.ports.store.items().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns the item that has or had an asset id, and the step of its chain at which it got it; of several the latest.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an invalid asset id, `not_found`.
    pub async fn find_inventory_item_by_asset_id(
        &self,
        caller: &Caller,
        command: FindInventoryItemByAssetID,
    ) -> OpResult<(InventoryItemId, u32)> {
        let scope = rules::FIND_INVENTORY_ITEM_BY_ASSET_ID.enter(&caller.principal, command.workspace_id)?;
        let asset_id = fields::asset_id("assetId", &command.asset_id)?;
        let found = self.ports.store.items().find_link_of_asset(scope, &asset_id).await?;
        found.ok_or_else(|| OpError::not_found("inventory item"))
    }

    /// Returns a page of inventory items, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter or limit or a cursor that this list did not give out.
    pub async fn list_inventory_items(
        &self,
        caller: &Caller,
        command: ListInventoryItems,
    ) -> OpResult<PageOf<InventoryItemId>> {
        let scope = rules::LIST_INVENTORY_ITEMS.enter(&caller.principal, command.workspace_id)?;
        let given = |text: &'_ str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (name, account) = (given(&command.market_hash_name), given(&command.account_name));
        let name: Option<MarketHashName> = fields::optional(name.as_deref(), fields::text, "marketHashName")?;
        let account: Option<AccountName> = fields::optional(account.as_deref(), fields::text, "accountName")?;
        let key = ListKey::of("inventory items", scope)
            .and_id(command.contract_id)
            .and_code(command.status.map(ItemStatus::code))
            .and(name.as_ref().map(|text| text.as_str().as_bytes()))
            .and(account.as_ref().map(|text| text.as_str().as_bytes()));
        let request = self.page_request::<OfInventoryItem>(&key, command.limit, &command.cursor)?;
        let filter = ItemFilter {
            contract_id: command.contract_id,
            status: command.status,
            market_hash_name: name.as_ref(),
            account_name: account.as_ref(),
        };
        let page = self.ports.store.items().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts inventory items: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_inventory_items(
        &self,
        caller: &Caller,
        command: CountInventoryItems,
    ) -> OpResult<Vec<StatusCount<ItemStatus>>> {
        let scope = rules::COUNT_INVENTORY_ITEMS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.ports.store.counters().by_status(scope, Kind::InventoryItem, command.contract_id).await?;
        Ok(every_status(ItemStatus::ALL, ItemStatus::code, &counted))
    }
}
