//! What every step of a pass may use: the operations, the desk, the clock, and the open records, which it reads in bounded batches and
//! applies events to.
//!
//! The children read and report one kind of state of the desk each, and keep it to themselves. `delisting` takes items off sale for any step.

pub(crate) mod account_health;
pub(crate) mod account_offers;
pub(crate) mod account_refresh;
pub(crate) mod confirming;
pub(crate) mod delisting;
pub(crate) mod exchange_rates;
pub(crate) mod leases;
pub(crate) mod own_trades;
pub(crate) mod platform_clock;
pub(crate) mod platform_snapshot;
pub(crate) mod problems;
pub(crate) mod providers;
pub(crate) mod recent;
pub(crate) mod scan_cursors;
pub(crate) mod steps;
pub(crate) mod trade_holds;
pub(crate) mod trade_offers;

use std::sync::Arc;

use futures::stream::{self, StreamExt as _};
use time::Duration;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::id::{InventoryItemId, PurchaseId};
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_operations::contracts::{
    AdvanceItem, AdvancePurchase, GetInventoryItems, GetPurchases, ItemsInStatus, OpenPurchases,
};
use tradepost_operations::{Caller, OpResult, Operations, Versioned};

use crate::context::account_health::{AccountRecords, LostSessions, SignIns};
use crate::context::account_refresh::RefreshMarks;
use crate::context::confirming::StoppedNames;
use crate::context::exchange_rates::RateCache;
use crate::context::leases::WorkLeases;
use crate::context::platform_clock::PlatformClock;
use crate::context::platform_snapshot::PlatformSnapshot;
use crate::context::problems::Problems;
use crate::context::providers::ProviderCache;
use crate::context::recent::Recent;
use crate::context::scan_cursors::{ItemScan, PurchaseScan, ScanCursors};
use crate::context::steps::Step;
use crate::context::trade_holds::SeenHolds;
use crate::context::trade_offers::{RecordedOffers, TradedAccounts};
use crate::desk::backoff::{Backoff, with_backoff};
use crate::desk::{Desk, TradingAccount, Venue};
use crate::error::{EngineError, EngineResult};
use crate::mark::{EngineClock, Mark};
use crate::timings::SafeTimings;
use crate::turns::{TimeSlice, Turns};

/// What an engine works with, and what every step may read. Steps change `state` only between concurrent calls.
pub(crate) struct Context {
    operations: Arc<Operations>,
    /// The engine as a caller, fenced by the leases it holds.
    caller: Caller,
    desk: Desk,
    timings: SafeTimings,
    clock: EngineClock,
    state: DeskState,
    problems: Problems,
}

/// State of the desk's accounts and providers, what was read for them, and the work that this node holds.
struct DeskState {
    /// Marketplaces to which no call is made at present.
    backoff: Arc<Backoff<Marketplace>>,
    leases: WorkLeases,
    accounts: AccountRecords,
    /// When the state of each account was last read.
    account_reads: Turns<AccountName>,
    lost_sessions: LostSessions,
    sign_ins: SignIns,
    refreshes: RefreshMarks,
    providers: ProviderCache,
    rates: RateCache,
    scans: ScanCursors,
    platform: PlatformReads,
    platform_clock: PlatformClock,
}

/// Offers and trades as the platform showed them, and the offers that are on record.
struct PlatformReads {
    snapshot: PlatformSnapshot,
    recorded_offers: RecordedOffers,
    traded: TradedAccounts,
    stopped: StoppedNames,
    /// Since when the effect of each step is waited for.
    steps: Recent<Step, Mark>,
    holds: SeenHolds,
}

impl PlatformReads {
    fn new(timings: &SafeTimings) -> Self {
        Self {
            snapshot: PlatformSnapshot::default(),
            recorded_offers: RecordedOffers::new(timings.remembered_offers),
            traded: TradedAccounts::default(),
            stopped: StoppedNames::default(),
            steps: Recent::new(timings.remembered_offers),
            holds: SeenHolds::new(timings.remembered_offers),
        }
    }
}

impl Context {
    pub(crate) fn new(operations: Arc<Operations>, desk: Desk, timings: &SafeTimings) -> Self {
        let clock = EngineClock::new(desk.clock.clone());
        let (desk, backoff) = with_backoff(desk, timings);
        let state = DeskState {
            backoff,
            leases: WorkLeases::default(),
            accounts: AccountRecords::default(),
            account_reads: Turns::default(),
            lost_sessions: LostSessions::default(),
            sign_ins: SignIns::default(),
            refreshes: RefreshMarks::default(),
            providers: ProviderCache::default(),
            rates: RateCache::default(),
            scans: ScanCursors::default(),
            platform: PlatformReads::new(timings),
            platform_clock: PlatformClock::default(),
        };
        let (caller, problems) = (Caller::system(), Problems::default());
        Self { operations, caller, desk, timings: *timings, clock, state, problems }
    }

    /// Takes one step after the other from now on.
    pub(crate) fn make_sequential(&mut self) {
        self.timings = self.timings.sequential();
    }

    pub(crate) fn operations(&self) -> &Operations {
        &self.operations
    }

    pub(crate) const fn caller(&self) -> &Caller {
        &self.caller
    }

    pub(crate) const fn desk(&self) -> &Desk {
        &self.desk
    }

    pub(crate) const fn timings(&self) -> &SafeTimings {
        &self.timings
    }

    pub(crate) fn venue(&self, name: &Marketplace) -> EngineResult<Venue> {
        let unknown = || EngineError::NotOnDesk { what: "marketplace", name: name.to_string() };
        self.desk.venue(name).cloned().ok_or_else(unknown)
    }

    pub(crate) fn account(&self, name: &AccountName) -> EngineResult<TradingAccount> {
        let unknown = || EngineError::NotOnDesk { what: "trading account", name: name.to_string() };
        self.desk.account(name).map(|account| self.addressed(account)).ok_or_else(unknown)
    }

    /// Where an item is on sale, or was sold.
    pub(crate) fn sale_venue(&self, item: &InventoryItem) -> Option<&Venue> {
        item.sale_place.as_ref().and_then(|place| self.desk.venue(&place.marketplace))
    }

    /// Whether no call is made to a marketplace at present.
    pub(crate) fn is_backing_off(&self, marketplace: &Marketplace) -> bool {
        self.state.backoff.is_active(marketplace)
    }

    /// The market's time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// By how much the market's clock was set since this engine began; negative where it was set back.
    pub(crate) fn set_by(&self) -> Duration {
        self.clock.set_by(self.timings.clock_tolerance)
    }

    /// This moment, for measuring spans.
    pub(crate) fn mark(&self) -> Mark {
        self.clock.mark()
    }

    /// The time that a step of this pass has which calls the platform for one account after another. It begins now.
    pub(crate) fn time_slice(&self) -> TimeSlice {
        TimeSlice::begin(self.timings.accounts_within)
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

    /// Returns the next purchases in a status, of each marketplace where this node works.
    pub(crate) async fn next_purchases(&mut self, status: PurchaseStatus) -> OpResult<Vec<Versioned<Purchase>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            let scan = PurchaseScan::new(status, marketplace.clone());
            let batch = self.purchase_batch(status, &marketplace, self.state.scans.after_purchase(&scan)).await?;
            let last = self.last_if_full(&batch).map(|last| last.value.terms.id);
            self.state.scans.advance_purchases(scan, last);
            found.extend(batch);
        }
        Ok(found)
    }

    /// Every purchase in a status where this node works, however many.
    pub(crate) async fn all_purchases(&self, status: PurchaseStatus) -> OpResult<Vec<Versioned<Purchase>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            let mut after = None;
            loop {
                let batch = self.purchase_batch(status, &marketplace, after).await?;
                after = self.last_if_full(&batch).map(|last| last.value.terms.id);
                found.extend(batch);
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(found)
    }

    async fn purchase_batch(
        &self,
        status: PurchaseStatus,
        marketplace: &Marketplace,
        after: Option<PurchaseId>,
    ) -> OpResult<Vec<Versioned<Purchase>>> {
        let (workspace_id, marketplace, most) =
            (self.desk.workspace_id, marketplace.clone(), self.timings.records_per_pass);
        let ask = OpenPurchases { workspace_id, marketplace, status, after, most };
        self.operations.open_purchases(&self.caller, ask).await
    }

    /// The last record of a full batch, after which more may follow.
    fn last_if_full<'a, T>(&self, batch: &'a [T]) -> Option<&'a T> {
        batch.last().filter(|_| batch.len() >= self.timings.records_per_pass as usize)
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
        self.item_batch(status, None).await
    }

    /// The same of those that are on sale, or were sold, where this node works.
    pub(crate) async fn next_items_on_sale(&mut self, status: ItemStatus) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let mut found = Vec::new();
        for marketplace in self.held_marketplaces() {
            found.extend(self.item_batch(status, Some(marketplace)).await?);
        }
        Ok(found)
    }

    async fn item_batch(
        &mut self,
        status: ItemStatus,
        marketplace: Option<Marketplace>,
    ) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let (workspace_id, most) = (self.desk.workspace_id, self.timings.records_per_pass);
        let scan = ItemScan::new(status, marketplace.clone());
        let after = self.state.scans.after_item(&scan);
        let ask = ItemsInStatus { workspace_id, marketplace, status, after, most };
        let mut batch = self.operations.items_in_status(&self.caller, ask).await?;
        let last = self.last_if_full(&batch).map(|last| last.value.id);
        self.state.scans.advance_items(scan, last);
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
