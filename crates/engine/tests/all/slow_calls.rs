//! A marketplace that hangs, or answers when another node has taken the work over: nothing is bought twice, and no pass stalls.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_engine::{Engine, EngineError, EngineTimings};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::MarketplaceRefusal;

use crate::desk::{Desk, all_items};
use crate::reached::{Kind, Manner};
use crate::scripted_adapters::{Asked, Stub};
use crate::shapes;

/// Longer than a lease lasts that its holder does not renew, and shorter than a call may take.
const PAST_THE_LEASE: Duration = Duration::from_secs(25);

/// When calls that change something take long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slow {
    /// Before they are carried out.
    Before,
    /// Before their answer comes.
    After,
}

/// Lets time pass by the tests' clock.
async fn pass(time: Duration) {
    drop(tokio::time::timeout(time, std::future::pending::<()>()).await);
}

/// How slow the marketplace is at present; `None` while it answers at once.
struct Pace<T>(Mutex<Option<T>>);

impl<T: Copy> Pace<T> {
    fn of(pace: T) -> Self {
        Self(Mutex::new(Some(pace)))
    }

    fn get(&self) -> Option<T> {
        *self.0.lock().unwrap()
    }

    fn is_over(&self) {
        self.set(None);
    }

    fn set(&self, pace: Option<T>) {
        *self.0.lock().unwrap() = pace;
    }
}

#[async_trait]
impl Manner for Pace<Slow> {
    async fn before(&self, call: Kind) {
        if call == Kind::Write && self.get() == Some(Slow::Before) {
            pass(PAST_THE_LEASE).await;
        }
    }

    async fn after(&self, call: Kind) -> Option<ExternalError<MarketplaceRefusal>> {
        if call == Kind::Write && self.get() == Some(Slow::After) {
            pass(PAST_THE_LEASE).await;
        }
        None
    }
}

/// Calls of this kind hang for ever once they were carried out.
#[async_trait]
impl Manner for Pace<Kind> {
    async fn before(&self, _: Kind) {}

    async fn after(&self, call: Kind) -> Option<ExternalError<MarketplaceRefusal>> {
        if self.get() == Some(call) { std::future::pending().await } else { None }
    }
}

/// How long one pass takes.
async fn pass_of(engine: &mut Engine) -> Duration {
    let begun = Instant::now();
    engine.pass().await;
    begun.elapsed()
}

/// Advances the world at the pace of the tests' clock, until this many items are sold.
async fn sell_all(desk: &Desk, engines: &mut [&mut Engine], items: usize) {
    let is_sold = all_items(items, ItemStatus::Settled);
    for _ in 0..10_000 {
        for engine in &mut *engines {
            engine.pass().await;
        }
        if is_sold(&[], &desk.items().await) {
            return desk.assert_sound().await;
        }
        tokio::time::advance(Duration::from_secs(5)).await;
        desk.simulator.advance(desk.step);
    }
    panic!("never sold: {:?} {:?}", desk.purchase_statuses().await, desk.item_statuses().await);
}

async fn assert_goes_on_after(hanging: Kind) {
    let desk = Desk::slow(81).await;
    desk.buying(2).await;
    desk.selling().await;
    let market = desk.reached(Pace::of(hanging));
    let mut engine = desk.engine_at(market.clone());
    for _ in 0..3 {
        let taken = pass_of(&mut engine).await;
        assert!(taken <= 2 * EngineTimings::default().call_within, "a pass took {taken:?}");
        tokio::time::advance(Duration::from_mins(1)).await;
        desk.simulator.advance(desk.step);
    }
    market.manner.is_over();
    sell_all(&desk, &mut [&mut engine], 2).await;
}

#[tokio::test(start_paused = true)]
async fn a_marketplace_whose_reads_hang_for_ever_keeps_no_pass() {
    assert_goes_on_after(Kind::Read).await;
}

#[tokio::test(start_paused = true)]
async fn a_marketplace_whose_writes_hang_for_ever_keeps_no_pass_and_sells_nothing_twice() {
    assert_goes_on_after(Kind::Write).await;
}

#[tokio::test(start_paused = true)]
async fn a_marketplace_of_every_trait_whose_writes_hang_in_every_third_pass_keeps_none_and_does_nothing_twice() {
    let desk = shapes::desk(83, shapes::EVERYTHING).await;
    desk.buying(2).await;
    desk.selling().await;
    let market = desk.reached(Pace::of(Kind::Write));
    let (mut engine, is_sold) = (desk.engine_at(market.clone()), all_items(2, ItemStatus::Settled));
    for number in 0..10_000 {
        market.manner.set((number % 3 == 0).then_some(Kind::Write));
        let taken = pass_of(&mut engine).await;
        assert!(taken <= 2 * EngineTimings::default().call_within, "a pass took {taken:?}");
        if is_sold(&[], &desk.items().await) {
            return desk.assert_sound().await;
        }
        tokio::time::advance(Duration::from_mins(1)).await;
        desk.simulator.advance(desk.step);
    }
    panic!("never sold: {:?} {:?}", desk.purchase_statuses().await, desk.item_statuses().await);
}

/// Returns how often the sales were asked for in one pass, and the errors of that pass.
async fn sales_read(takes: Duration, following: fn(u64) -> u64) -> (usize, Vec<EngineError>) {
    let desk = Desk::slow(84).await;
    let stub = Arc::new(Stub { leads: Some((takes, following)), ..Stub::default() });
    let mut engine = desk.engine_at(stub.clone());
    let begun = Instant::now();
    let pass = engine.pass().await;
    let (elapsed, call) = (begun.elapsed(), EngineTimings::default().call_within);
    assert!(elapsed <= 25 * call, "a pass took {elapsed:?}");
    (stub.count(&Asked::Sales), pass.errors)
}

fn is_unknown(error: &EngineError) -> bool {
    matches!(error, EngineError::Marketplace(ExternalError::Unknown(why)) if why.contains("pages"))
}

#[tokio::test(start_paused = true)]
async fn pages_that_never_end_are_read_for_a_bounded_time() {
    let (asked, errors) = sales_read(Duration::from_secs(20), |page| page + 1).await;
    assert_eq!(asked, 16, "the last one is cut off after ten calls of 30 s");
    assert!(errors.iter().any(is_unknown), "{errors:?}");
}

#[tokio::test(start_paused = true)]
async fn pages_that_never_end_are_read_up_to_a_number() {
    let (asked, errors) = sales_read(Duration::ZERO, |page| page + 1).await;
    assert_eq!(asked, 1_000);
    assert!(errors.iter().any(is_unknown), "{errors:?}");
}

#[tokio::test(start_paused = true)]
async fn pages_that_lead_to_each_other_are_read_once() {
    let (asked, errors) = sales_read(Duration::ZERO, |page| if page == 1 { 2 } else { 1 }).await;
    assert_eq!(asked, 3);
    assert!(errors.iter().any(is_unknown), "{errors:?}");
}

async fn assert_bought_once_by_two_nodes(slow: Slow) {
    let desk = Desk::slow(82).await;
    desk.buying(2).await;
    let market = desk.reached(Pace::of(slow));
    let mut one = desk.engine_at(market.clone());
    let mut other = desk.engine_of("node-2");
    let others_passes = async {
        // The other node continues while the call of the first one is in flight, and takes its work over.
        for _ in 0..30 {
            pass(Duration::from_secs(1)).await;
            other.pass().await;
        }
    };
    tokio::join!(one.pass(), others_passes);
    market.manner.is_over();
    for _ in 0..60 {
        one.pass().await;
        other.pass().await;
        tokio::time::advance(Duration::from_secs(5)).await;
        desk.simulator.advance(time::Duration::seconds(5));
    }
    let bought = desk.purchases().await.iter().filter(|purchase| purchase.progress.order.is_some()).count();
    assert_eq!(bought, 2);
    desk.assert_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_purchase_that_is_carried_out_after_the_lease_was_taken_is_made_once() {
    assert_bought_once_by_two_nodes(Slow::Before).await;
}

#[tokio::test(start_paused = true)]
async fn a_purchase_that_is_answered_after_the_lease_was_taken_is_made_once() {
    assert_bought_once_by_two_nodes(Slow::After).await;
}
