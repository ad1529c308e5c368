//! A marketplace or a game platform that hangs, or answers when another node has taken the work over: nothing is done twice, and no pass
//! stalls.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;
use tradepost_adapters_simulator::{
    Answer, PlatformCall, Request, SimulatedPlatform, Simulator, WorldTransport, WorldTransportError,
};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_engine::{Engine, EngineError, EngineTimings};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketTraits, MarketplaceRefusal};

use crate::desk::{CUSTOMER, Desk, all_items};
use crate::nodes::holders;
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
pub(crate) async fn pass(time: Duration) {
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

/// Takes a pass, which ends soon whatever hangs.
async fn take_short_pass(engine: &mut Engine) {
    let begun = Instant::now();
    engine.pass().await;
    let (taken, call) = (begun.elapsed(), EngineTimings::default().call_within);
    assert!(taken <= 2 * call, "a pass took {taken:?}");
}

/// Sells two items in short passes, with something to do before each.
async fn sell_in_short_passes(desk: &Desk, engine: &mut Engine, before: impl Fn(usize)) {
    let is_sold = all_items(2, ItemStatus::Settled);
    for number in 0..10_000 {
        before(number);
        take_short_pass(engine).await;
        if is_sold(&[], &desk.items().await) {
            return desk.assert_sound().await;
        }
        tokio::time::advance(Duration::from_mins(1)).await;
        desk.simulator.advance(desk.step);
    }
    panic!("never sold: {:?} {:?}", desk.purchase_statuses().await, desk.item_statuses().await);
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
        take_short_pass(&mut engine).await;
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
    let mut engine = desk.engine_at(market.clone());
    let hang_in_every_third = |number: usize| market.manner.set(number.is_multiple_of(3).then_some(Kind::Write));
    sell_in_short_passes(&desk, &mut engine, hang_in_every_third).await;
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

/// Which calls of the game platform are slow.
type Which = fn(&PlatformCall) -> bool;

/// How the game platform is slow: at the first of these calls, and at one in so many of the others.
#[derive(Debug, Clone, Copy)]
struct Lag {
    of: Which,
    every: usize,
    slow: Slow,
    takes: Duration,
}

impl Lag {
    async fn pass(self, moment: Slow) {
        if self.slow == moment {
            pass(self.takes).await;
        }
    }
}

/// Longer than any call waits.
const FOR_EVER: Duration = Duration::MAX;

const ALL: Which = |_| true;
const SENDS: Which = |call| matches!(call, PlatformCall::Send { .. });
const ACCEPTS: Which = |call| matches!(call, PlatformCall::Accept { .. });
const CONFIRMS: Which = |call| matches!(call, PlatformCall::Answer { .. });
const READS_TRADES: Which = |call| matches!(call, PlatformCall::Trade { .. } | PlatformCall::Trades { .. });

/// What was asked of the game platform.
#[derive(Default)]
struct PlatformLog {
    /// How many calls were among those that may be slow.
    concerned: AtomicUsize,
    /// The calls that changed something.
    done: Mutex<Vec<PlatformCall>>,
}

impl PlatformLog {
    /// Asserts that something was slow, and that nothing was done twice.
    fn assert_each_done_once(&self) {
        assert!(self.concerned.load(Ordering::SeqCst) > 0, "no call was slow");
        let done = self.done.lock().unwrap();
        assert!(done.iter().any(SENDS) && done.iter().any(ACCEPTS) && done.iter().any(CONFIRMS), "{done:?}");
        for (number, call) in done.iter().enumerate() {
            assert!(!done[..number].contains(call), "it was done twice: {call:?}");
        }
    }
}

/// The way to the game platform of a desk, on which calls are slow, or none is.
#[derive(Clone)]
struct PlatformLine {
    simulator: Simulator,
    lag: Arc<Pace<Lag>>,
    log: Arc<PlatformLog>,
}

impl PlatformLine {
    fn of(desk: &Desk, lag: Lag) -> Self {
        Self { simulator: desk.simulator.clone(), lag: Arc::new(Pace::of(lag)), log: Arc::default() }
    }

    /// Another way to the same platform, on which nothing is slow.
    fn unhindered(&self) -> Self {
        Self { lag: Arc::new(Pace(Mutex::new(None))), ..self.clone() }
    }

    fn engine(&self, desk: &Desk, node: &str) -> Engine {
        let market = Arc::new(self.simulator.marketplace(CUSTOMER));
        desk.engaged_over(node, (market, Arc::new(SimulatedPlatform::new(self.clone()))))
    }

    /// What slows this call down, if anything does.
    fn lag_of(&self, request: &Request) -> Option<Lag> {
        let Request::Platform { call, .. } = request else { return None };
        let lag = self.lag.get().filter(|lag| (lag.of)(call))?;
        let number = self.log.concerned.fetch_add(1, Ordering::SeqCst);
        number.is_multiple_of(lag.every).then_some(lag)
    }
}

#[async_trait]
impl WorldTransport for PlatformLine {
    async fn ask(&self, request: Request) -> Result<Answer, WorldTransportError> {
        let lag = self.lag_of(&request);
        if let Some(lag) = lag {
            lag.pass(Slow::Before).await;
        }
        let answer = self.simulator.ask(request.clone()).await?;
        if let Request::Platform { call, .. } = request
            && (SENDS(&call) || ACCEPTS(&call) || CONFIRMS(&call))
            && !matches!(answer, Answer::PlatformFailed(_))
        {
            self.log.done.lock().unwrap().push(call);
        }
        if let Some(lag) = lag {
            lag.pass(Slow::After).await;
        }
        Ok(answer)
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_platform_that_answers_nothing_keeps_no_pass_and_what_it_left_is_done_once() {
    for slow in [Slow::Before, Slow::After] {
        let desk = shapes::desk(85, MarketTraits::KEYED).await;
        desk.buying(2).await;
        desk.selling().await;
        let line = PlatformLine::of(&desk, Lag { of: ALL, every: 1, slow, takes: FOR_EVER });
        let mut engine = line.engine(&desk, "node-1");
        for _ in 0..3 {
            take_short_pass(&mut engine).await;
            tokio::time::advance(Duration::from_mins(1)).await;
            desk.simulator.advance(desk.step);
        }
        line.lag.is_over();
        sell_in_short_passes(&desk, &mut engine, |_| {}).await;
        line.log.assert_each_done_once();
    }
}

/// Sells two items while every second of these calls has no answer, whether the platform has carried it out or not.
async fn assert_done_once_without_answers(of: Which) {
    for slow in [Slow::Before, Slow::After] {
        let desk = shapes::desk(85, MarketTraits::KEYED).await;
        desk.buying(2).await;
        desk.selling().await;
        let line = PlatformLine::of(&desk, Lag { of, every: 2, slow, takes: FOR_EVER });
        sell_in_short_passes(&desk, &mut line.engine(&desk, "node-1"), |_| {}).await;
        line.log.assert_each_done_once();
    }
}

#[tokio::test(start_paused = true)]
async fn trade_offers_whose_sending_has_no_answer_keep_no_pass_and_are_sent_once() {
    assert_done_once_without_answers(SENDS).await;
}

#[tokio::test(start_paused = true)]
async fn trade_offers_whose_acceptance_has_no_answer_keep_no_pass_and_are_accepted_once() {
    assert_done_once_without_answers(ACCEPTS).await;
}

#[tokio::test(start_paused = true)]
async fn confirmations_whose_answer_has_no_answer_keep_no_pass_and_are_allowed_once() {
    assert_done_once_without_answers(CONFIRMS).await;
}

#[tokio::test(start_paused = true)]
async fn trades_that_are_not_shown_in_every_third_pass_keep_none_and_nothing_is_done_twice() {
    let desk = shapes::desk(85, MarketTraits::KEYED).await;
    desk.buying(2).await;
    desk.selling().await;
    let lag = Lag { of: READS_TRADES, every: 1, slow: Slow::After, takes: FOR_EVER };
    let line = PlatformLine::of(&desk, lag);
    let hang_in_every_third = |number: usize| line.lag.set(number.is_multiple_of(3).then_some(lag));
    sell_in_short_passes(&desk, &mut line.engine(&desk, "node-1"), hang_in_every_third).await;
    line.log.assert_each_done_once();
}

/// Lets an engine take a pass. While it waits, another node continues, and takes its work over.
async fn pass_with_takeover(desk: &Desk, one: &mut Engine, other: &mut Engine) {
    let mut passing = pin!(one.pass());
    loop {
        tokio::select! {
            biased;
            _ = &mut passing => return,
            () = pass(Duration::from_secs(1)) => {
                desk.simulator.advance(time::Duration::seconds(1));
                other.pass().await;
            }
        }
    }
}

/// Sells an item while the first node waits so long for one of these calls that the other one takes its work over.
async fn assert_done_once_by_two_nodes(of: Which) {
    for slow in [Slow::Before, Slow::After] {
        let desk = shapes::desk(86, MarketTraits::KEYED).await;
        desk.buying(1).await;
        desk.selling().await;
        let line = PlatformLine::of(&desk, Lag { of, every: 2, slow, takes: PAST_THE_LEASE });
        let (mut one, mut other) = (line.engine(&desk, "node-1"), line.unhindered().engine(&desk, "node-2"));
        for _ in 0..10_000 {
            pass_with_takeover(&desk, &mut one, &mut other).await;
            if line.log.concerned.load(Ordering::SeqCst) > 0 {
                break;
            }
            tokio::time::advance(Duration::from_secs(5)).await;
            desk.simulator.advance(desk.step);
        }
        assert!(holders(&desk).await.into_values().all(|holder| holder == "node-2"), "the work was taken over");
        line.lag.is_over();
        sell_all(&desk, &mut [&mut one, &mut other], 1).await;
        line.log.assert_each_done_once();
    }
}

#[tokio::test(start_paused = true)]
async fn an_offer_that_is_answered_after_the_lease_was_taken_is_sent_once() {
    assert_done_once_by_two_nodes(SENDS).await;
}

#[tokio::test(start_paused = true)]
async fn an_offer_that_is_accepted_after_the_lease_was_taken_brings_its_item_once() {
    assert_done_once_by_two_nodes(ACCEPTS).await;
}

#[tokio::test(start_paused = true)]
async fn a_confirmation_that_is_answered_after_the_lease_was_taken_is_allowed_once() {
    assert_done_once_by_two_nodes(CONFIRMS).await;
}
