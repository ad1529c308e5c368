//! The limiter over `governor`: one set of partitions for each class, counted in this process alone. It must not know
//! the meaning of a partition.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use governor::RateLimiter;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::{StateInformationMiddleware, StateSnapshot};
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::{DashMapStateStore, ShrinkableKeyedStateStore};
use tradepost_ports::limiter::{Limiter, Quota, RateClass, Verdict};
use tradepost_ports::store::StoreResult;

use crate::quotas::{InvalidQuota, Quotas};

type Partition = Box<[u8]>;
type Partitions<C> = RateLimiter<Partition, Held, C, StateInformationMiddleware>;

/// What is charged to each partition of a class: the limiter charges it, and a refund takes from it.
#[derive(Clone, Default)]
struct Held(Arc<DashMapStateStore<Partition>>);

impl StateStore for Held {
    type Key = Partition;

    fn measure_and_replace<T, F, E>(&self, key: &Partition, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.0.measure_and_replace(key, f)
    }
}

impl ShrinkableKeyedStateStore<Partition> for Held {
    fn retain_recent(&self, drop_below: Nanos) {
        ShrinkableKeyedStateStore::retain_recent(&*self.0, drop_below);
    }

    fn shrink_to_fit(&self) {
        self.0.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Counts calls in the memory of this process.
///
/// A partition that was never seen has its whole burst. What was charged is forgotten when the process ends.
pub struct GovernorLimiter<C: Clock = DefaultClock> {
    quotas: Quotas,
    clock: C,
    /// In the order of [`RateClass::ALL`].
    classes: Vec<Partitions<C>>,
    /// What the classes hold, in the same order.
    held: Vec<Held>,
    /// How many processes give out the same quotas.
    nodes: AtomicU32,
}

impl GovernorLimiter {
    /// A limiter on the computer's monotonic clock.
    ///
    /// # Errors
    /// [`InvalidQuota`] names the class whose quota cannot be kept.
    pub fn new(quotas: Quotas) -> Result<Self, InvalidQuota> {
        Self::with_clock(quotas, DefaultClock::default())
    }
}

impl<C: Clock + Clone> GovernorLimiter<C> {
    /// A limiter on another clock, such as [`governor::clock::FakeRelativeClock`].
    ///
    /// # Errors
    /// [`InvalidQuota`] names the class whose quota cannot be kept.
    pub fn with_clock(quotas: Quotas, clock: C) -> Result<Self, InvalidQuota> {
        let cells = quotas.cells()?;
        let held: Vec<Held> = cells.iter().map(|_| Held::default()).collect();
        let cells = cells.into_iter().zip(&held);
        let classes = cells.map(|(cell, held)| Partitions::new(cell, held.clone(), clock.clone())).collect();
        Ok(Self { quotas, clock, classes, held, nodes: AtomicU32::new(1) })
    }

    /// Forgets every partition that has its whole burst again. To be called now and then, such as once a minute; without
    /// it, each partition ever charged stays in memory.
    pub fn forget_idle(&self) {
        for partitions in &self.classes {
            partitions.retain_recent();
            partitions.shrink_to_fit();
        }
    }

    /// How many partitions are held, over all classes.
    pub fn held(&self) -> usize {
        self.classes.iter().map(RateLimiter::len).sum()
    }

    /// Gives out this process's share from now on: one part of as many as there are processes.
    pub fn share_among(&self, nodes: u32) {
        self.nodes.store(nodes.max(1), Ordering::Relaxed);
    }

    /// The quotas, each the whole of what all processes give out.
    pub(crate) const fn quotas(&self) -> &Quotas {
        &self.quotas
    }

    /// With several processes each call is charged as if every one of them had been asked. What may come at once fits into a
    /// share in any case: where there are more processes than calls, the last of them would otherwise serve no caller.
    fn decide(&self, class: RateClass, partition: &[u8], calls: u32) -> Verdict {
        let quota = self.quotas.of(class);
        let price = |calls: u32| self.price(class, calls);
        // Read before the charge: a later reading would make the wait too short by the time in between.
        let now = self.clock.now();
        match self.classes[class as usize].check_key_n(&partition.into(), price(calls)) {
            Ok(Ok(state)) => {
                let left = state.remaining_burst_capacity();
                Verdict { allowed: true, quota, remaining: left / price(1), wait: refill(&state, quota.burst - left) }
            }
            Ok(Err(refusal)) => Verdict { allowed: false, quota, remaining: 0, wait: refusal.wait_time_from(now) },
            // The price never exceeds the burst.
            Err(_) => Verdict { allowed: false, quota, remaining: 0, wait: quota.window },
        }
    }
}

impl<C: Clock> GovernorLimiter<C> {
    /// What so many calls cost of the burst.
    fn price(&self, class: RateClass, calls: u32) -> NonZeroU32 {
        let (nodes, burst) = (self.nodes.load(Ordering::Relaxed), self.quotas.of(class).burst);
        NonZeroU32::new(nodes.saturating_mul(calls).min(burst)).unwrap_or(NonZeroU32::MIN)
    }

    /// Moves the time at which the whole burst is there again forward by what one call moved it back.
    fn give_back(&self, class: RateClass, partition: &[u8]) {
        let quota = self.quotas.of(class);
        let interval = quota.window.checked_div(quota.calls).unwrap_or_default();
        let charged = interval.saturating_mul(self.price(class, 1).get()).as_nanos();
        let charged = Nanos::new(u64::try_from(charged).unwrap_or(u64::MAX));
        let less = |full_at: Option<Nanos>| full_at.map(|at| ((), at.saturating_sub(charged))).ok_or(());
        // A partition that holds nothing has its whole burst already.
        let _has_its_burst: Result<(), ()> = self.held[class as usize].measure_and_replace(&partition.into(), less);
    }
}

/// The time to get `calls` back. The snapshot has whole calls only, so it may be up to one call's interval more than
/// is left, never less.
fn refill(state: &StateSnapshot, calls: u32) -> Duration {
    state.quota().replenish_interval().saturating_mul(calls)
}

#[async_trait]
impl<C> Limiter for GovernorLimiter<C>
where
    C: Clock + Clone + Send + Sync,
{
    async fn charge_several(&self, class: RateClass, partition: &[u8], calls: u32) -> Verdict {
        self.decide(class, partition, calls)
    }

    async fn refund(&self, class: RateClass, partition: &[u8]) {
        self.give_back(class, partition);
    }

    fn quota(&self, class: RateClass) -> Quota {
        self.quotas().of(class)
    }

    /// Exact where one process serves alone.
    async fn charge_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<Verdict> {
        Ok(self.decide(class, partition, 1))
    }

    async fn refund_exactly(&self, class: RateClass, partition: &[u8]) -> StoreResult<()> {
        self.give_back(class, partition);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;
    use tradepost_ports::limiter::Quota;

    use super::*;

    /// Three calls at once, then one every 20 s.
    const QUOTA: Quota = Quota { calls: 3, window: Duration::from_mins(1), burst: 3 };
    const INTERVAL: Duration = Duration::from_secs(20);

    struct Bench {
        clock: FakeRelativeClock,
        limiter: GovernorLimiter<FakeRelativeClock>,
    }

    impl Bench {
        fn new() -> Self {
            let clock = FakeRelativeClock::default();
            let quotas = Quotas::default().with(RateClass::Write, QUOTA);
            Self { limiter: GovernorLimiter::with_clock(quotas, clock.clone()).unwrap(), clock }
        }

        async fn write(&self, partition: &[u8]) -> Verdict {
            self.limiter.charge(RateClass::Write, partition).await
        }

        async fn exhaust(&self, partition: &[u8]) {
            for _ in 0..QUOTA.burst {
                assert!(self.write(partition).await.allowed);
            }
        }
    }

    #[tokio::test]
    async fn a_burst_passes_and_what_is_left_counts_down() {
        let bench = Bench::new();
        for remaining in [2, 1, 0] {
            let wait = INTERVAL * (QUOTA.burst - remaining);
            assert_eq!(bench.write(b"key").await, Verdict { allowed: true, quota: QUOTA, remaining, wait });
        }
    }

    #[tokio::test]
    async fn the_call_after_the_burst_is_refused_with_the_time_to_wait() {
        let bench = Bench::new();
        bench.exhaust(b"key").await;
        let refusal = Verdict { allowed: false, quota: QUOTA, remaining: 0, wait: INTERVAL };
        assert_eq!(bench.write(b"key").await, refusal);
        bench.clock.advance(Duration::from_secs(1));
        assert_eq!(bench.write(b"key").await.wait, Duration::from_secs(19));
    }

    #[tokio::test]
    async fn waiting_the_reported_time_is_enough_and_nothing_less_is() {
        let bench = Bench::new();
        bench.exhaust(b"key").await;
        let nearly = bench.write(b"key").await.wait.saturating_sub(Duration::from_nanos(1));
        bench.clock.advance(nearly);
        assert!(!bench.write(b"key").await.allowed);
        bench.clock.advance(Duration::from_nanos(1));
        assert!(bench.write(b"key").await.allowed);
    }

    #[tokio::test]
    async fn a_refunded_call_can_be_made_again_at_once_and_only_once() {
        let bench = Bench::new();
        bench.exhaust(b"key").await;
        bench.limiter.refund(RateClass::Write, b"key").await;
        assert!(bench.write(b"key").await.allowed);
        assert!(!bench.write(b"key").await.allowed);
    }

    #[tokio::test]
    async fn refunds_give_nobody_more_than_the_burst() {
        let bench = Bench::new();
        bench.write(b"key").await;
        for partition in [b"key".as_slice(), b"key", b"unknown"] {
            bench.limiter.refund_exactly(RateClass::Write, partition).await.unwrap();
        }
        bench.exhaust(b"key").await;
        assert!(!bench.write(b"key").await.allowed);
    }

    #[tokio::test]
    async fn refused_calls_do_not_push_the_wait_back() {
        let bench = Bench::new();
        bench.exhaust(b"key").await;
        for _ in 0..100 {
            assert_eq!(bench.write(b"key").await.wait, INTERVAL);
        }
    }

    #[tokio::test]
    async fn the_burst_comes_back_call_by_call() {
        let bench = Bench::new();
        bench.exhaust(b"key").await;
        bench.clock.advance(INTERVAL * 2);
        assert_eq!(bench.write(b"key").await.remaining, 1);
        assert_eq!(bench.write(b"key").await.remaining, 0);
        assert!(!bench.write(b"key").await.allowed);
        bench.clock.advance(INTERVAL * 100);
        assert_eq!(bench.write(b"key").await.remaining, QUOTA.burst - 1);
    }

    #[tokio::test]
    async fn several_calls_are_charged_together_or_not_at_all() {
        let bench = Bench::new();
        let two = async || bench.limiter.charge_several(RateClass::Write, b"key", 2).await;
        assert_eq!(two().await.remaining, 1);
        assert_eq!(two().await, Verdict { allowed: false, quota: QUOTA, remaining: 0, wait: INTERVAL });
        assert_eq!(bench.write(b"key").await.remaining, 0);
    }

    #[tokio::test]
    async fn partitions_and_classes_are_counted_apart() {
        let bench = Bench::new();
        bench.exhaust(b"one").await;
        assert!(!bench.write(b"one").await.allowed);
        assert_eq!(bench.write(b"other").await.remaining, QUOTA.burst - 1);
        assert!(bench.limiter.charge(RateClass::Read, b"one").await.allowed);
    }

    #[tokio::test]
    async fn a_process_among_three_gives_out_a_third() {
        let bench = Bench::new();
        bench.limiter.share_among(3);
        assert_eq!(bench.write(b"key").await.remaining, 0);
        assert!(!bench.write(b"key").await.allowed);
        bench.clock.advance(INTERVAL * 3);
        assert!(bench.write(b"key").await.allowed);
    }

    #[tokio::test]
    async fn one_call_fits_however_many_processes_there_are() {
        let bench = Bench::new();
        bench.limiter.share_among(1_000);
        assert!(bench.write(b"key").await.allowed);
        assert!(!bench.write(b"key").await.allowed);
    }

    #[tokio::test]
    async fn every_class_keeps_its_own_default() {
        let limiter = GovernorLimiter::with_clock(Quotas::default(), FakeRelativeClock::default()).unwrap();
        for class in RateClass::ALL {
            let quota = Quotas::default().of(class);
            let verdict = limiter.charge(class, b"key").await;
            assert_eq!((verdict.quota, verdict.remaining), (quota, quota.burst - 1), "{class:?}");
        }
    }

    #[tokio::test]
    async fn only_partitions_with_their_whole_burst_are_forgotten() {
        let bench = Bench::new();
        bench.exhaust(b"busy").await;
        bench.write(b"idle").await;
        bench.clock.advance(INTERVAL * 2);
        bench.limiter.forget_idle();
        assert_eq!(bench.limiter.held(), 1);
        assert_eq!(bench.write(b"busy").await.remaining, 1);
    }

    #[tokio::test]
    async fn the_computers_clock_serves_by_default() {
        let limiter = GovernorLimiter::new(Quotas::default()).unwrap();
        assert!(limiter.charge(RateClass::Mail, b"user").await.allowed);
    }
}
