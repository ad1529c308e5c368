//! Reads of contracts, purchases, items and their chains.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, InventoryItemId, OfContract, OfInventoryItem, OfPurchase, PurchaseId};
use tradepost_domain::text::{AccountName, MarketHashName};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::record::Kind;
use crate::store::{Page, PageRequest, StoreResult, Worlds};

/// The contracts to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContractFilter {
    /// Only of this type.
    pub contract_type: Option<ContractType>,
    /// Only in this status.
    pub status: Option<ContractStatus>,
}

/// The purchases to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PurchaseFilter {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only in this status.
    pub status: Option<PurchaseStatus>,
}

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

/// Contracts, purchases, items and their chains.
#[async_trait]
pub trait Trading: Send + Sync {
    /// Returns a contract.
    async fn find_contract(&self, scope: WorkspaceScope, id: ContractId) -> StoreResult<Option<Seen<Contract>>>;
    /// Returns several contracts, in no order; missing ones are left out.
    async fn find_contracts(&self, scope: WorkspaceScope, ids: &[ContractId]) -> StoreResult<Vec<Seen<Contract>>>;
    /// Returns contracts of the workspace.
    async fn list_contracts(
        &self,
        scope: WorkspaceScope,
        filter: ContractFilter,
        page: PageRequest<OfContract>,
    ) -> StoreResult<Page<OfContract>>;
    /// Returns active contracts of any workspace, in the order of their ids; at most `most` behind `after`.
    async fn list_active_contracts(&self, after: Option<ContractId>, most: u32) -> StoreResult<Vec<Seen<Contract>>>;
    /// Returns contracts of these worlds' workspaces that are not closed and whose end has passed. Those that ended first come first.
    async fn list_overdue_contracts(
        &self,
        worlds: Worlds,
        until: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Contract>>>;
    /// Counts the contracts of the workspace, all or those of a type, in each status, by its stored number; zeros are left out.
    async fn count_contracts(
        &self,
        scope: WorkspaceScope,
        contract_type: Option<ContractType>,
    ) -> StoreResult<Vec<(i16, i64)>>;
    /// Returns a purchase.
    async fn find_purchase(&self, scope: WorkspaceScope, id: PurchaseId) -> StoreResult<Option<Seen<Purchase>>>;
    /// Returns several purchases, in no order; missing ones are left out.
    async fn find_purchases(&self, scope: WorkspaceScope, ids: &[PurchaseId]) -> StoreResult<Vec<Seen<Purchase>>>;
    /// Returns purchases of the workspace.
    async fn list_purchases(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>>;
    /// Returns an item.
    async fn find_item(&self, scope: WorkspaceScope, id: InventoryItemId) -> StoreResult<Option<Seen<InventoryItem>>>;
    /// Returns several items, in no order; missing ones are left out.
    async fn find_items(&self, scope: WorkspaceScope, ids: &[InventoryItemId])
    -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns the item that a purchase delivered; a purchase delivers at most one.
    async fn find_item_of_purchase(
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
    async fn list_items(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>>;
    /// Returns the chain of an item from a step on, in order; `None` when there is no such item.
    async fn list_links(
        &self,
        scope: WorkspaceScope,
        item: InventoryItemId,
        from_step: u32,
        limit: u32,
    ) -> StoreResult<Option<Vec<AssetIdLink>>>;
    /// Returns the counters of a kind by the status's stored number, for the workspace or one of its contracts; zeros may be left out.
    async fn count_by_status(
        &self,
        scope: WorkspaceScope,
        kind: Kind,
        contract: Option<ContractId>,
    ) -> StoreResult<Vec<(i16, i64)>>;
}
