//! Reads open records by status in bounded batches, and applies what was seen to them.
//!
//! A pass processes one batch of each kind, and the next pass continues after it. So the length of a pass does not grow with the number of
//! open records, and none is left out.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
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

/// As many as the operations give at once.
pub(crate) const PAGE: i32 = 200;
/// Maximum number of records of a status that a pass processes at a marketplace: at 100 ms a call, some seconds.
const BATCH_SIZE: u32 = 200;
/// Maximum number of concurrent steps. Most of a step is a call to an external system, which bears some at a time.
pub(crate) const MAX_CONCURRENCY: usize = 8;

/// Record after which each scan continues. A scan that is not listed starts from the beginning.
#[derive(Debug, Default)]
pub(crate) struct ScanCursors {
    purchases: BTreeMap<(PurchaseStatus, Marketplace), PurchaseId>,
    items: BTreeMap<(ItemStatus, Option<Marketplace>), InventoryItemId>,
    /// How many rounds have ended.
    ended: BTreeMap<(ScanKind, Marketplace), u64>,
}

/// What a round goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScanKind {
    /// Purchases in a status.
    Purchases(PurchaseStatus),
    /// Items in a status that are on sale, or were sold.
    Items(ItemStatus),
}

/// Notes how far a round has come; whether it is over.
fn advance<R: Ord, K>(rounds: &mut BTreeMap<R, Id<K>>, round: R, last: Option<Id<K>>, read: usize) -> bool {
    let Some(last) = last.filter(|_| read >= BATCH_SIZE as usize) else {
        rounds.remove(&round);
        return true;
    };
    rounds.insert(round, last);
    false
}

impl ScanCursors {
    fn record_scan(&mut self, is_over: bool, followed: ScanKind, marketplace: &Marketplace) {
        if is_over {
            let ended = self.ended.entry((followed, marketplace.clone())).or_default();
            *ended = ended.wrapping_add(1);
        }
    }

    /// How many rounds have ended once all that is open now was looked at by so many rounds that have not begun yet.
    pub(crate) fn scans_after(&self, followed: ScanKind, marketplace: &Marketplace, more: u64) -> u64 {
        let is_under_way = match followed {
            ScanKind::Purchases(status) => self.purchases.contains_key(&(status, marketplace.clone())),
            ScanKind::Items(status) => self.items.contains_key(&(status, Some(marketplace.clone()))),
        };
        self.scans_completed(followed, marketplace).saturating_add(more).saturating_add(u64::from(is_under_way))
    }

    pub(crate) fn scans_completed(&self, followed: ScanKind, marketplace: &Marketplace) -> u64 {
        self.ended.get(&(followed, marketplace.clone())).copied().unwrap_or_default()
    }
}

impl Context {
    /// Takes steps of which none waits for another, some at a time.
    pub(crate) async fn run_concurrently<T>(&self, steps: Vec<BoxFuture<'_, T>>) -> Vec<T> {
        stream::iter(steps).buffer_unordered(self.concurrency).collect().await
    }

    /// Returns the next purchases in a status, of each marketplace where this node works.
    pub(crate) async fn next_purchases(&mut self, status: PurchaseStatus) -> OpResult<Vec<Versioned<Purchase>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            let round = (status, marketplace);
            let after = self.state.scans.purchases.get(&round).copied();
            let slice = self.purchase_batch(&round, after).await?;
            let last = slice.last().map(|last| last.value.terms.id);
            let marketplace = round.1.clone();
            let is_over = advance(&mut self.state.scans.purchases, round, last, slice.len());
            self.state.scans.record_scan(is_over, ScanKind::Purchases(status), &marketplace);
            found.extend(slice);
        }
        Ok(found)
    }

    /// Every purchase in a status where this node works, however many.
    pub(crate) async fn all_purchases(&self, status: PurchaseStatus) -> OpResult<Vec<Versioned<Purchase>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            let (round, mut after) = ((status, marketplace), None);
            loop {
                let slice = self.purchase_batch(&round, after).await?;
                let is_last = slice.len() < BATCH_SIZE as usize;
                after = slice.last().map(|last| last.value.terms.id);
                found.extend(slice);
                if is_last {
                    break;
                }
            }
        }
        Ok(found)
    }

    async fn purchase_batch(
        &self,
        (status, marketplace): &(PurchaseStatus, Marketplace),
        after: Option<PurchaseId>,
    ) -> OpResult<Vec<Versioned<Purchase>>> {
        let (workspace_id, status, marketplace) = (self.desk.workspace_id, *status, marketplace.clone());
        let ask = OpenPurchases { workspace_id, marketplace, status, after, most: BATCH_SIZE };
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
        self.item_batch((status, None)).await
    }

    /// The same of those that are on sale, or were sold, where this node works.
    pub(crate) async fn next_items_on_sale(&mut self, status: ItemStatus) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            found.extend(self.item_batch((status, Some(marketplace))).await?);
        }
        Ok(found)
    }

    async fn item_batch(
        &mut self,
        round: (ItemStatus, Option<Marketplace>),
    ) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let (workspace_id, (status, marketplace)) = (self.desk.workspace_id, round.clone());
        let after = self.state.scans.items.get(&round).copied();
        let ask = ItemsInStatus { workspace_id, marketplace, status, after, most: BATCH_SIZE };
        let mut slice = self.operations.items_in_status(&self.caller, ask).await?;
        let place = round.1.clone();
        let is_over = advance(&mut self.state.scans.items, round, slice.last().map(|last| last.value.id), slice.len());
        if let Some(marketplace) = &place {
            self.state.scans.record_scan(is_over, ScanKind::Items(status), marketplace);
        }
        slice.retain(|item| self.desk.account(&item.value.account_name).is_some());
        Ok(slice)
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
