//! Repeated reads of the engine: slices of open records, active contracts and recent activity.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, Id, OfContract, OfInventoryItem, OfPurchase};
use tradepost_domain::text::{AccountName, MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::StoreResult;

/// A slice of the records, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordBatch<K> {
    /// Only records created after this one.
    pub after: Option<Id<K>>,
    /// The most records.
    pub most: u32,
}

/// An active contract, by the versions of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveContract {
    /// The contract.
    pub contract_id: ContractId,
    /// The version of its record.
    pub version: i64,
    /// The version of the filter set's record that it names.
    pub filter_set_version: Option<i64>,
}

/// The requested parts of a contract's recent activity. The store does not look for the other parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActivityQuery<'a> {
    /// The money of purchases that were made from this time on.
    pub spent_since: Option<Timestamp>,
    /// The purchases of a market name, counted up to this number.
    pub of_item_name: Option<(&'a MarketHashName, u32)>,
    /// The time of its last purchase.
    pub last_purchase: bool,
    /// Only activity before this time.
    pub before: Option<Timestamp>,
}

/// The records that the engine follows from pass to pass.
#[async_trait]
pub trait OpenRecordReads: Send + Sync {
    /// Returns a slice of the purchases at a marketplace whose status is not final.
    async fn list_open_purchases(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: PurchaseStatus,
        slice: RecordBatch<OfPurchase>,
    ) -> StoreResult<Vec<Seen<Purchase>>>;
    /// Returns a slice of the items in a status.
    async fn list_items_in(
        &self,
        scope: WorkspaceScope,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns a slice of the items in a status that are on sale at a marketplace, or were sold there.
    async fn list_items_on_sale(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns a slice of the items of a trading account whose status is not final.
    async fn list_items_of(
        &self,
        scope: WorkspaceScope,
        account: &AccountName,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// Returns a slice of the active contracts.
    async fn list_contracts_at_work(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfContract>,
    ) -> StoreResult<Vec<ActiveContract>>;
    /// Returns the requested parts of a contract's recent activity.
    async fn find_activity(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ActivityQuery<'_>,
    ) -> StoreResult<Activity>;
}
