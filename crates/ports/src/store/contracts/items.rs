//! Reads of items and their chains.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{ContractId, InventoryItemId, OfInventoryItem, PurchaseId};
use tradepost_domain::text::{AccountName, MarketHashName, Marketplace};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, RecordBatch, StoreResult};

/// The items to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemFilter<'a> {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only in this status.
    pub status: Option<ItemStatus>,
    /// Only of this market name.
    pub market_hash_name: Option<&'a MarketHashName>,
    /// Only with this account of ours.
    pub account_name: Option<&'a AccountName>,
}

/// Inventory items and their chains of asset ids.
#[async_trait]
pub trait Items: Send + Sync {
    /// Returns an item.
    async fn find(&self, scope: WorkspaceScope, id: InventoryItemId) -> StoreResult<Option<Seen<InventoryItem>>>;
    /// Returns several items, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[InventoryItemId]) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns the item that a purchase delivered; a purchase delivers at most one.
    async fn find_of_purchase(
        &self,
        scope: WorkspaceScope,
        purchase: PurchaseId,
    ) -> StoreResult<Option<Seen<InventoryItem>>>;
    /// Returns the item whose chain has an asset id, and the step of that id. If several have it, returns the latest item and step.
    async fn find_link_of_asset(
        &self,
        scope: WorkspaceScope,
        asset: &AssetId,
    ) -> StoreResult<Option<(InventoryItemId, u32)>>;
    /// Returns items of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>>;
    /// Returns a slice of the items in a status.
    async fn list_in(
        &self,
        scope: WorkspaceScope,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns a slice of the items in a status that are on sale at a marketplace, or were sold there.
    async fn list_on_sale(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns a slice of the items of a trading account whose status is not final.
    async fn list_of_account(
        &self,
        scope: WorkspaceScope,
        account: &AccountName,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns the chain of an item from a step on, in order; `None` when there is no such item.
    async fn list_links(
        &self,
        scope: WorkspaceScope,
        item: InventoryItemId,
        from_step: u32,
        limit: u32,
    ) -> StoreResult<Option<Vec<AssetIdLink>>>;
}
