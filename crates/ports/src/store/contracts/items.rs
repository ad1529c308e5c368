//! Reads of items and their chains.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{ContractId, InventoryItemId, OfInventoryItem, PurchaseId};
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{NameFilter, Page, PageRequest, RecordBatch, StatusCounts, StoreResult};

/// The items to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemFilter<'a> {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only in one of these statuses, each once; in every status if there is none.
    pub statuses: &'a [ItemStatus],
    /// Only of these market names.
    pub names: NameFilter<'a>,
    /// Only with this account of ours.
    pub account_name: Option<&'a AccountName>,
    /// Only on sale at this marketplace, or sold there.
    pub sale_marketplace: Option<&'a Marketplace>,
    /// Only with such a lock.
    pub lock: Option<ItemLock>,
}

/// Whether something keeps an item from being traded at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemLock {
    /// It is locked.
    LockedAt(Timestamp),
    /// It is not.
    FreeAt(Timestamp),
}

impl ItemFilter<'_> {
    /// Returns whether the list is in the order of the ends of locks, and not of ids: the items whose lock lasts longest first.
    pub const fn is_by_lock(&self) -> bool {
        matches!(self.lock, Some(ItemLock::LockedAt(_)))
    }

    /// Returns whether an item meets the filter.
    pub fn is_met_by(&self, item: &InventoryItem) -> bool {
        let is_locked = |at| item.lock.as_ref().is_some_and(|lock| lock.until > at);
        self.contract_id.is_none_or(|wanted| item.contract_id == Some(wanted))
            && (self.statuses.is_empty() || self.statuses.contains(&item.status))
            && self.names.accepts(&item.market_hash_name)
            && self.account_name.is_none_or(|wanted| item.account_name == *wanted)
            && self
                .sale_marketplace
                .is_none_or(|wanted| item.sale_place.as_ref().is_some_and(|place| place.marketplace == *wanted))
            && match self.lock {
                None => true,
                Some(ItemLock::LockedAt(at)) => is_locked(at),
                Some(ItemLock::FreeAt(at)) => !is_locked(at),
            }
    }
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
    /// Returns items of the workspace, newest first: by the end of the lock if [`ItemFilter::is_by_lock`], else by id. What no index
    /// of the filter finds is looked for in at most `MOST_LOOKED_AT` items, so that a page may be short.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>>;
    /// Counts items by status, of at most `MOST_LOOKED_AT`.
    async fn count(&self, scope: WorkspaceScope, filter: ItemFilter<'_>) -> StoreResult<StatusCounts>;
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
