//! Reads of items.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{ContractId, InventoryItemId, OfInventoryItem, WorkspaceId};
use tradepost_domain::text::{AccountName, Marketplace, Text};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{ItemFilter, ItemLock, NamedRecord, Records, StatusCounts};

use crate::contracts::name_filters::{WantedNames, statuses, text_filter};
use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusTally, Versioned, fields};

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
    /// Only inventory items in this status, or in one of the others.
    pub status: Option<ItemStatus>,
    /// Only inventory items of this market name; empty for all.
    pub market_hash_name: String,
    /// Only inventory items with the trading account of this name; empty for all.
    pub account_name: String,
    /// Further filters.
    pub wanted: WantedItems,
}

/// A request for the number of inventory items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountInventoryItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only inventory items of this contract.
    pub contract_id: Option<ContractId>,
    /// Only inventory items of this market name; empty for all.
    pub market_hash_name: String,
    /// Only inventory items with the trading account of this name; empty for all.
    pub account_name: String,
    /// Further filters.
    pub wanted: WantedItems,
}

impl CountInventoryItems {
    /// Returns the request for the number of a contract's inventory items, or of all of a workspace.
    pub fn of(workspace_id: WorkspaceId, contract_id: Option<ContractId>) -> Self {
        Self {
            workspace_id,
            contract_id,
            market_hash_name: String::new(),
            account_name: String::new(),
            wanted: WantedItems::default(),
        }
    }
}

/// Filters of inventory items; by default there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WantedItems {
    /// Only in one of these statuses.
    pub statuses: Vec<ItemStatus>,
    /// Only of market names that contain each of these parts, in upper or lower case, with spaces between; empty for all.
    pub name_contains: String,
    /// Only on sale at this marketplace, or sold there; empty for all.
    pub sale_marketplace: String,
    /// Only those that something keeps from being traded now, or only the others.
    pub locked: Option<bool>,
}

/// Filters of inventory items that were checked.
struct ItemFilters {
    contract_id: Option<ContractId>,
    statuses: Vec<ItemStatus>,
    names: WantedNames,
    account_name: Option<AccountName>,
    sale_marketplace: Option<Marketplace>,
    locked: Option<bool>,
}

impl ItemFilters {
    fn of_list(command: &ListInventoryItems) -> OpResult<Self> {
        let wanted = &command.wanted;
        Ok(Self {
            contract_id: command.contract_id,
            statuses: statuses(command.status, &wanted.statuses, ItemStatus::code),
            names: WantedNames::read(&command.market_hash_name, &wanted.name_contains)?,
            account_name: text_filter("accountName", &command.account_name)?,
            sale_marketplace: text_filter("saleMarketplace", &wanted.sale_marketplace)?,
            locked: wanted.locked,
        })
    }

    fn of_count(command: CountInventoryItems) -> OpResult<Self> {
        let CountInventoryItems { workspace_id, contract_id, market_hash_name, account_name, wanted } = command;
        let (limit, cursor, status) = (0, String::new(), None);
        Self::of_list(&ListInventoryItems {
            workspace_id,
            limit,
            cursor,
            contract_id,
            status,
            market_hash_name,
            account_name,
            wanted,
        })
    }

    fn key(&self, scope: WorkspaceScope) -> ListKey {
        let codes: Vec<i16> = self.statuses.iter().map(|status| status.code()).collect();
        let key = ListKey::of("inventory items", scope).and_id(self.contract_id).and_codes(&codes);
        self.names
            .add_to(key)
            .and_text(self.account_name.as_ref().map(Text::as_str))
            .and_text(self.sale_marketplace.as_ref().map(Text::as_str))
            .and_code(self.locked.map(i16::from))
    }

    async fn find_names(self, on: &dyn Records, scope: WorkspaceScope) -> OpResult<Self> {
        let names = self.names.find(on, scope, NamedRecord::Item).await?;
        Ok(Self { names, ..self })
    }

    fn filter(&self, now: Timestamp) -> ItemFilter<'_> {
        ItemFilter {
            contract_id: self.contract_id,
            statuses: &self.statuses,
            names: self.names.filter(),
            account_name: self.account_name.as_ref(),
            sale_marketplace: self.sale_marketplace.as_ref(),
            lock: self.locked.map(|is_locked| if is_locked { ItemLock::LockedAt(now) } else { ItemLock::FreeAt(now) }),
        }
    }

    /// Returns whether counters are kept of what the filters accept.
    const fn are_counted(&self) -> bool {
        self.names.is_any() && self.account_name.is_none() && self.sale_marketplace.is_none() && self.locked.is_none()
    }
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

    /// Returns a page of inventory items, the newest first; of locked ones those whose lock lasts longest. A page of several filters
    /// may be short, and have a cursor nevertheless.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter or limit or a cursor that this list did not give out.
    pub async fn list_inventory_items(
        &self,
        caller: &Caller,
        command: ListInventoryItems,
    ) -> OpResult<PageOf<InventoryItemId>> {
        let scope = rules::LIST_INVENTORY_ITEMS.enter(&caller.principal, command.workspace_id)?;
        let filters = ItemFilters::of_list(&command)?;
        let key = filters.key(scope);
        let request = self.page_request::<OfInventoryItem>(&key, command.limit, &command.cursor)?;
        let records = self.to_show(caller, scope);
        let filters = filters.find_names(records, scope).await?;
        let filter = filters.filter(self.market_now(command.workspace_id));
        let page = records.items().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts inventory items: one entry for every status in the order of the list, zeros included. With filters besides contract
    /// and statuses, of the newest 5,000 that one filter finds.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter.
    pub async fn count_inventory_items(
        &self,
        caller: &Caller,
        command: CountInventoryItems,
    ) -> OpResult<StatusTally<ItemStatus>> {
        let scope = rules::COUNT_INVENTORY_ITEMS.enter(&caller.principal, command.workspace_id)?;
        let mut filters = ItemFilters::of_count(command)?;
        let records = self.to_show(caller, scope);
        let counted = if filters.are_counted() {
            let counts = records.counters().by_status(scope, Kind::InventoryItem, filters.contract_id).await?;
            StatusCounts { counts, truncated: false }
        } else {
            filters = filters.find_names(records, scope).await?;
            let filter = filters.filter(self.market_now(scope.workspace_id()));
            records.items().count(scope, filter).await?
        };
        Ok(StatusTally::of(ItemStatus::ALL, ItemStatus::code, &filters.statuses, &counted))
    }
}
