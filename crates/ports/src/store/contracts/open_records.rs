//! What is read again and again by whoever trades: slices of what is open, what is at work, what was done lately.

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

/// A part of what there is, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordBatch<K> {
    /// Only what was made after this one.
    pub after: Option<Id<K>>,
    /// At most so many.
    pub most: u32,
}

/// A contract at work, by the versions of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveContract {
    /// The contract.
    pub contract_id: ContractId,
    /// The version of its record.
    pub version: i64,
    /// That of the record of the filter set that it names.
    pub filter_set_version: Option<i64>,
}

/// What is asked of what a contract did lately. What is not asked for is not looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActivityQuery<'a> {
    /// The money of purchases that were made from this time on.
    pub spent_since: Option<Timestamp>,
    /// The purchases of a market name, counted up to this number.
    pub of_item_name: Option<(&'a MarketHashName, u32)>,
    /// When it last bought something.
    pub last_purchase: bool,
    /// Of all this only what was made before this time.
    pub before: Option<Timestamp>,
}

/// What is followed from pass to pass.
#[async_trait]
pub trait OpenRecordReads: Send + Sync {
    /// A slice of the purchases that were made at a marketplace and stand in a status that is not final.
    async fn list_open_purchases(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: PurchaseStatus,
        slice: RecordBatch<OfPurchase>,
    ) -> StoreResult<Vec<Seen<Purchase>>>;
    /// A slice of the items in a status.
    async fn list_items_in(
        &self,
        scope: WorkspaceScope,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// A slice of the items in a status that are on sale at a marketplace, or were sold there.
    async fn list_items_on_sale(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// A slice of the items of a trading account that have not come to their end.
    async fn list_items_of(
        &self,
        scope: WorkspaceScope,
        account: &AccountName,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>>;
    /// A slice of the contracts that are active.
    async fn list_contracts_at_work(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfContract>,
    ) -> StoreResult<Vec<ActiveContract>>;
    /// What a contract did lately, as far as it is asked for.
    async fn find_activity(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ActivityQuery<'_>,
    ) -> StoreResult<Activity>;
}
