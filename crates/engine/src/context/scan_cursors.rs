//! How far the open records were scanned: a pass processes a batch of each kind, and the next pass continues after it.
//!
//! So the length of a pass does not grow with the number of open records, and none is left out.

use std::collections::BTreeMap;

use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{Id, InventoryItemId, PurchaseId};
use tradepost_domain::text::Marketplace;

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
pub(crate) struct PurchaseScan {
    status: PurchaseStatus,
    marketplace: Marketplace,
}

/// A scan of the items in a status: those of a marketplace, or all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ItemScan {
    status: ItemStatus,
    marketplace: Option<Marketplace>,
}

impl PurchaseScan {
    pub(crate) const fn new(status: PurchaseStatus, marketplace: Marketplace) -> Self {
        Self { status, marketplace }
    }
}

impl ItemScan {
    pub(crate) const fn new(status: ItemStatus, marketplace: Option<Marketplace>) -> Self {
        Self { status, marketplace }
    }
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
    /// The purchase after which a scan continues.
    pub(crate) fn after_purchase(&self, scan: &PurchaseScan) -> Option<PurchaseId> {
        self.purchases.get(scan).copied()
    }

    /// The item after which a scan continues.
    pub(crate) fn after_item(&self, scan: &ItemScan) -> Option<InventoryItemId> {
        self.items.get(scan).copied()
    }

    /// Continues a scan after the last purchase of a full batch; without one it is complete.
    pub(crate) fn advance_purchases(&mut self, scan: PurchaseScan, last_of_full_batch: Option<PurchaseId>) {
        let PurchaseScan { status, marketplace } = scan.clone();
        if advance(&mut self.purchases, scan, last_of_full_batch) {
            self.count_scan(ScanKind::Purchases(status), marketplace);
        }
    }

    /// Continues a scan after the last item of a full batch; without one it is complete.
    pub(crate) fn advance_items(&mut self, scan: ItemScan, last_of_full_batch: Option<InventoryItemId>) {
        let ItemScan { status, marketplace } = scan.clone();
        let is_complete = advance(&mut self.items, scan, last_of_full_batch);
        if let Some(marketplace) = marketplace.filter(|_| is_complete) {
            self.count_scan(ScanKind::Items(status), marketplace);
        }
    }

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
