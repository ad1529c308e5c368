//! An engine that is killed at any call to the outside, before it is made or before its answer is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use time::Duration;
use tokio::sync::Notify;
use tradepost_adapters_simulator::SimulatedMarketplace;
use tradepost_domain::fees::FeeSchedule;
use tradepost_domain::intent::{IntentKind, IntentStatus};
use tradepost_domain::inventory_item::ItemStatus;
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_operations::Caller;
use tradepost_operations::contracts::DelistItem;
use tradepost_ports::marketplace::{
    BuyRequest, ListingQuery, MarketListing, MarketOrder, Marketplace, MarketplaceResult, Page, Sale, SellRequest,
};

use crate::desk::{CUSTOMER, Desk, all_items};

/// Where the process dies.
#[derive(Debug, Clone, Copy)]
enum Death {
    /// The call is never made.
    Before,
    /// The call is made, and nobody reads its answer.
    After,
}

/// The marketplace, at whose calls that change something the process dies, once in so many.
struct Deadly {
    market: SimulatedMarketplace,
    every: usize,
    death: Death,
    calls: AtomicUsize,
    died: Notify,
}

impl Deadly {
    async fn call<T>(&self, call: impl Future<Output = MarketplaceResult<T>>) -> MarketplaceResult<T> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if !number.is_multiple_of(self.every) {
            return call.await;
        }
        if matches!(self.death, Death::After) {
            drop(call.await);
        }
        self.died.notify_one();
        std::future::pending().await
    }
}

#[async_trait]
impl Marketplace for Deadly {
    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        self.market.listings(query, after).await
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.market.listing(id).await
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.call(self.market.buy(request)).await
    }

    async fn find_order(&self, key: &ExternalId) -> MarketplaceResult<Option<MarketOrder>> {
        self.market.find_order(key).await
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.market.order(id).await
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.call(self.market.list(request)).await
    }

    async fn reprice(&self, id: &ExternalId, price: Cents) -> MarketplaceResult<MarketListing> {
        self.call(self.market.reprice(id, price)).await
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.call(self.market.delist(id)).await
    }

    async fn own_listings(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.market.own_listings(after).await
    }

    async fn sales(&self, since: Timestamp) -> MarketplaceResult<Vec<Sale>> {
        self.market.sales(since).await
    }

    async fn balance(&self) -> MarketplaceResult<Cents> {
        self.market.balance().await
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.market.fee_schedule().await
    }
}

/// Trades until every item is sold, dying at every so many calls, with a new engine each time.
async fn assert_survives(every: usize, death: Death) {
    const ITEMS: usize = 4;
    let desk = Desk::slow(21).await;
    desk.buying(4).await;
    desk.selling().await;
    let market = desk.simulator.marketplace(CUSTOMER);
    let deadly = Arc::new(Deadly { market, every, death, calls: AtomicUsize::new(0), died: Notify::new() });
    let mut engine = desk.engine_at(deadly.clone());
    let (is_sold, mut deaths) = (all_items(ITEMS, ItemStatus::Settled), 0);
    for _ in 0..6 * 24 * 60 {
        let is_dead = tokio::select! {
            biased;
            _ = engine.pass() => false,
            () = deadly.died.notified() => true,
        };
        if is_dead {
            engine = desk.engine_at(deadly.clone());
            deaths += 1;
        }
        desk.simulator.advance(Duration::minutes(10));
        if is_sold(&[], &desk.items().await) {
            assert!(deaths >= ITEMS, "it died {deaths} times");
            return desk.assert_sound().await;
        }
    }
    panic!("never sold: {:?}", desk.item_statuses().await);
}

#[tokio::test]
async fn who_dies_before_a_call_is_followed_by_one_that_knows_it_was_not_made() {
    assert_survives(2, Death::Before).await;
    assert_survives(3, Death::Before).await;
}

#[tokio::test]
async fn who_dies_before_an_answer_is_followed_by_one_that_finds_what_was_done() {
    assert_survives(2, Death::After).await;
    assert_survives(3, Death::After).await;
}

#[tokio::test]
async fn who_dies_before_the_answer_to_a_withdrawal_is_followed_by_one_that_finds_it_done() {
    let (desk, _) = Desk::on_sale(22).await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.item().await.id);
    let delist = DelistItem { workspace_id, inventory_item_id };
    desk.operations.delist_item(&Caller::system(), delist).await.unwrap();
    let (market, calls) = (desk.simulator.marketplace(CUSTOMER), AtomicUsize::new(0));
    let deadly = Arc::new(Deadly { market, every: 1, death: Death::After, calls, died: Notify::new() });
    let mut dying = desk.engine_at(deadly.clone());
    tokio::select! {
        biased;
        _ = dying.pass() => panic!("it lives"),
        () = deadly.died.notified() => {}
    }
    desk.live(&mut desk.engine(), Duration::minutes(10)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    let statuses: Vec<_> = desk.intents(IntentKind::Delist).await.iter().map(|intent| intent.value.status).collect();
    assert_eq!(statuses, [IntentStatus::Succeeded]);
    desk.assert_sound().await;
}
