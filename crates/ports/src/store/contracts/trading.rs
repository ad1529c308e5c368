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

/// Which contracts to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContractFilter {
    /// Only of this type.
    pub contract_type: Option<ContractType>,
    /// Only in this status.
    pub status: Option<ContractStatus>,
}

/// Which purchases to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PurchaseFilter {
    /// Only of this contract.
    pub contract_id: Option<ContractId>,
    /// Only in this status.
    pub status: Option<PurchaseStatus>,
}

/// Which items to list.
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
    /// A contract.
    async fn find_contract(&self, scope: WorkspaceScope, id: ContractId) -> StoreResult<Option<Seen<Contract>>>;
    /// Several contracts, in no order; those that are not there are left out.
    async fn find_contracts(&self, scope: WorkspaceScope, ids: &[ContractId]) -> StoreResult<Vec<Seen<Contract>>>;
    /// Contracts of the workspace.
    async fn list_contracts(
        &self,
        scope: WorkspaceScope,
        filter: ContractFilter,
        page: PageRequest<OfContract>,
    ) -> StoreResult<Page<OfContract>>;
    /// Contracts of any workspace that are at work, in the order of their ids; at most so many behind one.
    async fn list_active_contracts(&self, after: Option<ContractId>, most: u32) -> StoreResult<Vec<Seen<Contract>>>;
    /// Contracts of workspaces of these worlds that are not closed and whose end has passed, those that ended first before others.
    async fn list_overdue_contracts(
        &self,
        worlds: Worlds,
        until: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Seen<Contract>>>;
    /// How many contracts of the workspace, all or those of a type, stand in each status, by its stored number; zeros are left
    /// out.
    async fn count_contracts(
        &self,
        scope: WorkspaceScope,
        contract_type: Option<ContractType>,
    ) -> StoreResult<Vec<(i16, i64)>>;
    /// A purchase.
    async fn find_purchase(&self, scope: WorkspaceScope, id: PurchaseId) -> StoreResult<Option<Seen<Purchase>>>;
    /// Several purchases, in no order; those that are not there are left out.
    async fn find_purchases(&self, scope: WorkspaceScope, ids: &[PurchaseId]) -> StoreResult<Vec<Seen<Purchase>>>;
    /// Purchases of the workspace.
    async fn list_purchases(
        &self,
        scope: WorkspaceScope,
        filter: PurchaseFilter,
        page: PageRequest<OfPurchase>,
    ) -> StoreResult<Page<OfPurchase>>;
    /// An item.
    async fn find_item(&self, scope: WorkspaceScope, id: InventoryItemId) -> StoreResult<Option<Seen<InventoryItem>>>;
    /// Several items, in no order; those that are not there are left out.
    async fn find_items(&self, scope: WorkspaceScope, ids: &[InventoryItemId])
    -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// The item that a purchase brought; a purchase brings at most one.
    async fn find_item_of_purchase(
        &self,
        scope: WorkspaceScope,
        purchase: PurchaseId,
    ) -> StoreResult<Option<Seen<InventoryItem>>>;
    /// The item in whose chain an asset id stands, and the step at which it does; the latest item and step where it stood in
    /// several.
    async fn find_link_of_asset(
        &self,
        scope: WorkspaceScope,
        asset: &AssetId,
    ) -> StoreResult<Option<(InventoryItemId, u32)>>;
    /// Items of the workspace.
    async fn list_items(
        &self,
        scope: WorkspaceScope,
        filter: ItemFilter<'_>,
        page: PageRequest<OfInventoryItem>,
    ) -> StoreResult<Page<OfInventoryItem>>;
    /// The chain of an item from a step on, in order; `None` when there is no such item.
    async fn list_links(
        &self,
        scope: WorkspaceScope,
        item: InventoryItemId,
        from_step: u32,
        limit: u32,
    ) -> StoreResult<Option<Vec<AssetIdLink>>>;
    /// The counters of a kind by status' stored number, for the workspace or one contract of it; zeros may be left out.
    async fn count_by_status(
        &self,
        scope: WorkspaceScope,
        kind: Kind,
        contract: Option<ContractId>,
    ) -> StoreResult<Vec<(i16, i64)>>;
}
