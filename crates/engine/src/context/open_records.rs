//! Reads open records by status in bounded batches, and applies what was seen to them.
//!
//! A pass processes one batch of each kind, and the next pass continues after it. So the length of a pass does not grow with the number of
//! open records, and none is left out.

use std::collections::BTreeMap;

use futures::stream::{self, StreamExt as _};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::{Id, InventoryItemId, PurchaseId};
use tradepost_domain::text::Marketplace;
use tradepost_operations::contracts::{
    AdvanceItem, AdvancePurchase, GetInventoryItems, GetPurchases, ItemsInStatus, OpenPurchases,
};
use tradepost_operations::{OpResult, Versioned};

use crate::context::Context;
use crate::error::EngineResult;

/// Statuses of items that are on sale or sold, in the order in which they are processed.
pub(crate) const SALE_STATUSES: [ItemStatus; 7] = [
    ItemStatus::Listing,
    ItemStatus::Listed,
    ItemStatus::Reserved,
    ItemStatus::Delivering,
    ItemStatus::Held,
    ItemStatus::Sold,
    ItemStatus::Missing,
];

/// Record after which each scan continues. A scan that is not listed starts from the beginning.
#[derive(Debug, Default)]
pub(crate) struct ScanCursors {
    purchases: BTreeMap<PurchaseScan, PurchaseId>,
    items: BTreeMap<ItemScan, InventoryItemId>,
    /// Number of scans that have completed.
    ended: BTreeMap<(ScanKind, Marketplace), u64>,
}

/// A scan of the purchases of a marketplace in a status.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PurchaseScan {
    status: PurchaseStatus,
    marketplace: Marketplace,
}

/// A scan of the items in a status: those of a marketplace, or all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ItemScan {
    status: ItemStatus,
    marketplace: Option<Marketplace>,
}

/// The kind of records that a scan reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScanKind {
    /// Purchases in a status.
    Purchases(PurchaseStatus),
    /// Items in a status that are on sale, or were sold.
    Items(ItemStatus),
}

/// Stores the last record of a full batch, after which the scan continues. Returns whether the scan is complete.
fn advance<S: Ord, K>(cursors: &mut BTreeMap<S, Id<K>>, scan: S, last_of_full_batch: Option<Id<K>>) -> bool {
    match last_of_full_batch {
        Some(last) => drop(cursors.insert(scan, last)),
        None => drop(cursors.remove(&scan)),
    }
    last_of_full_batch.is_none()
}

impl ScanCursors {
    fn count_scan(&mut self, kind: ScanKind, marketplace: Marketplace) {
        let ended = self.ended.entry((kind, marketplace)).or_default();
        *ended = ended.wrapping_add(1);
    }

    /// Returns the number of completed scans after which so many scans, not begun yet, have read every record that is open now.
    pub(crate) fn scans_after(&self, kind: ScanKind, marketplace: &Marketplace, more: u64) -> u64 {
        let marketplace = marketplace.clone();
        let completed = self.scans_completed(kind, &marketplace);
        let is_running = match kind {
            ScanKind::Purchases(status) => self.purchases.contains_key(&PurchaseScan { status, marketplace }),
            ScanKind::Items(status) => self.items.contains_key(&ItemScan { status, marketplace: Some(marketplace) }),
        };
        completed.saturating_add(more).saturating_add(u64::from(is_running))
    }

    pub(crate) fn scans_completed(&self, kind: ScanKind, marketplace: &Marketplace) -> u64 {
        self.ended.get(&(kind, marketplace.clone())).copied().unwrap_or_default()
    }
}

impl Context {
    /// How far the open records were scanned.
    pub(crate) const fn scans(&self) -> &ScanCursors {
        &self.state.scans
    }

    /// Runs independent steps concurrently, up to the bound.
    pub(crate) async fn run_concurrently<T>(&self, steps: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
        stream::iter(steps).buffer_unordered(self.timings.concurrency).collect().await
    }

    /// Returns whether a batch of so many records may have a successor.
    fn is_full(&self, read: usize) -> bool {
        read >= self.timings.records_per_pass as usize
    }

    /// Returns the next purchases in a status, of each marketplace where this node works.
    pub(crate) async fn next_purchases(&mut self, status: PurchaseStatus) -> OpResult<Vec<Versioned<Purchase>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            let scan = PurchaseScan { status, marketplace: marketplace.clone() };
            let after = self.state.scans.purchases.get(&scan).copied();
            let batch = self.purchase_batch(&scan, after).await?;
            let last = batch.last().filter(|_| self.is_full(batch.len())).map(|last| last.value.terms.id);
            if advance(&mut self.state.scans.purchases, scan, last) {
                self.state.scans.count_scan(ScanKind::Purchases(status), marketplace);
            }
            found.extend(batch);
        }
        Ok(found)
    }

    /// Every purchase in a status where this node works, however many.
    pub(crate) async fn all_purchases(&self, status: PurchaseStatus) -> OpResult<Vec<Versioned<Purchase>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            let (scan, mut after) = (PurchaseScan { status, marketplace }, None);
            loop {
                let batch = self.purchase_batch(&scan, after).await?;
                let is_last = !self.is_full(batch.len());
                after = batch.last().map(|last| last.value.terms.id);
                found.extend(batch);
                if is_last {
                    break;
                }
            }
        }
        Ok(found)
    }

    async fn purchase_batch(
        &self,
        scan: &PurchaseScan,
        after: Option<PurchaseId>,
    ) -> OpResult<Vec<Versioned<Purchase>>> {
        let ask = OpenPurchases {
            workspace_id: self.desk.workspace_id,
            marketplace: scan.marketplace.clone(),
            status: scan.status,
            after,
            most: self.timings.records_per_pass,
        };
        self.operations.open_purchases(&self.caller, ask).await
    }

    /// These purchases, at most a page of them.
    pub(crate) async fn purchases_by_id(&self, purchase_ids: Vec<PurchaseId>) -> OpResult<Vec<Versioned<Purchase>>> {
        if purchase_ids.is_empty() {
            return Ok(Vec::new());
        }
        let get = GetPurchases { workspace_id: self.desk.workspace_id, purchase_ids };
        Ok(self.operations.get_purchases(&self.caller, get).await?.found)
    }

    /// The next items in a status that a trading account of the desk holds.
    pub(crate) async fn next_items(&mut self, status: ItemStatus) -> OpResult<Vec<Versioned<InventoryItem>>> {
        self.item_batch(ItemScan { status, marketplace: None }).await
    }

    /// The same of those that are on sale, or were sold, where this node works.
    pub(crate) async fn next_items_on_sale(&mut self, status: ItemStatus) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            found.extend(self.item_batch(ItemScan { status, marketplace: Some(marketplace) }).await?);
        }
        Ok(found)
    }

    async fn item_batch(&mut self, scan: ItemScan) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let (workspace_id, ItemScan { status, marketplace }) = (self.desk.workspace_id, scan.clone());
        let (after, most) = (self.state.scans.items.get(&scan).copied(), self.timings.records_per_pass);
        let ask = ItemsInStatus { workspace_id, marketplace: marketplace.clone(), status, after, most };
        let mut batch = self.operations.items_in_status(&self.caller, ask).await?;
        let last = batch.last().filter(|_| self.is_full(batch.len())).map(|last| last.value.id);
        let is_complete = advance(&mut self.state.scans.items, scan, last);
        if let Some(marketplace) = marketplace.filter(|_| is_complete) {
            self.state.scans.count_scan(ScanKind::Items(status), marketplace);
        }
        batch.retain(|item| self.desk.account(&item.value.account_name).is_some());
        Ok(batch)
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

    /// Applies an event to a purchase, which must be unchanged since it was read.
    pub(crate) async fn apply_purchase_event(
        &self,
        seen: &Versioned<Purchase>,
        event: PurchaseEvent,
    ) -> EngineResult<Versioned<Purchase>> {
        let command = AdvancePurchase {
            workspace_id: self.desk.workspace_id,
            purchase_id: seen.value.terms.id,
            event,
            expected_version: Some(seen.version),
        };
        Ok(self.operations.advance_purchase(&self.caller, command).await?)
    }

    /// Applies an event to an item, which must be unchanged since it was read.
    pub(crate) async fn apply_item_event(
        &self,
        seen: &Versioned<InventoryItem>,
        event: ItemEvent,
    ) -> EngineResult<Versioned<InventoryItem>> {
        let command = AdvanceItem {
            workspace_id: self.desk.workspace_id,
            inventory_item_id: seen.value.id,
            event,
            expected_version: Some(seen.version),
        };
        Ok(self.operations.advance_item(&self.caller, command).await?)
    }
}
