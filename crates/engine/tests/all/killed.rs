//! An engine that is killed at any call to the outside, before it is made or before its answer is read.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use time::Duration;
use tokio::sync::Notify;
use tradepost_domain::contracts::intent::{IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_operations::Caller;
use tradepost_operations::contracts::DelistItem;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::MarketplaceRefusal;

use crate::desk::{Desk, all_items};
use crate::reached::{Kind, Manner};

/// Where the process dies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Death {
    /// The call is never made.
    Before,
    /// The call is made, and its answer is never read.
    After,
}

/// The process dies at calls that change something, once in so many.
struct Deadly {
    every: usize,
    death: Death,
    calls: AtomicUsize,
    died: Notify,
}

impl Deadly {
    fn every(every: usize, death: Death) -> Self {
        Self { every, death, calls: AtomicUsize::new(0), died: Notify::new() }
    }

    async fn die(&self) {
        self.died.notify_one();
        std::future::pending::<()>().await;
    }
}

#[async_trait]
impl Manner for Deadly {
    async fn before(&self, call: Kind) {
        if call == Kind::Read {
            return;
        }
        let number = self.calls.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if number.is_multiple_of(self.every) && matches!(self.death, Death::Before) {
            self.die().await;
        }
    }

    async fn after(&self, call: Kind) -> Option<ExternalError<MarketplaceRefusal>> {
        let is_due = self.calls.load(Ordering::Relaxed).is_multiple_of(self.every);
        if call == Kind::Write && is_due && matches!(self.death, Death::After) {
            self.die().await;
        }
        None
    }
}

/// Trades until every item is sold, dying at every so many calls, with a new engine each time.
pub(crate) async fn assert_survives(desk: &Desk, every: usize, death: Death) {
    const ITEMS: usize = 4;
    desk.buying(4).await;
    desk.selling().await;
    let deadly = desk.reached(Deadly::every(every, death));
    let mut engine = desk.engine_at(deadly.clone());
    let (is_sold, mut deaths) = (all_items(ITEMS, ItemStatus::Settled), 0);
    for _ in 0..6 * 24 * 60 {
        let is_dead = tokio::select! {
            biased;
            _ = engine.pass() => false,
            () = deadly.manner.died.notified() => true,
        };
        if is_dead {
            engine = desk.engine_at(deadly.clone());
            deaths += 1;
        }
        let (purchases, items) = (desk.purchases().await, desk.items().await);
        desk.simulator.advance(desk.step_after(&purchases, &items));
        if is_sold(&purchases, &items) {
            assert!(deaths >= ITEMS, "it died {deaths} times");
            return desk.assert_sound().await;
        }
    }
    panic!("never sold: {:?} {:?}", desk.item_statuses().await, desk.purchase_statuses().await);
}

#[tokio::test]
async fn a_restarted_engine_detects_calls_that_were_never_made() {
    assert_survives(&Desk::slow(21).await, 2, Death::Before).await;
    assert_survives(&Desk::slow(21).await, 3, Death::Before).await;
}

#[tokio::test]
async fn a_restarted_engine_finds_calls_whose_response_was_lost() {
    assert_survives(&Desk::slow(21).await, 2, Death::After).await;
    assert_survives(&Desk::slow(21).await, 3, Death::After).await;
}

#[tokio::test]
async fn a_restarted_engine_finds_a_withdrawal_whose_answer_was_lost() {
    let (desk, _) = Desk::on_sale(22).await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id, desk.item().await.id);
    let delist = DelistItem { workspace_id, inventory_item_id };
    desk.operations.delist_item(&Caller::system(), delist).await.unwrap();
    let deadly = desk.reached(Deadly::every(1, Death::After));
    let mut dying = desk.engine_at(deadly.clone());
    tokio::select! {
        biased;
        _ = dying.pass() => panic!("it lives"),
        () = deadly.manner.died.notified() => {}
    }
    desk.live(&mut desk.engine(), Duration::minutes(10)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    let statuses: Vec<_> = desk.intents(IntentKind::Delist).await.iter().map(|intent| intent.value.status).collect();
    assert_eq!(statuses, [IntentStatus::Succeeded]);
    desk.assert_sound().await;
}
