//! Time and ids of the demo: a clock that is set while the data is made and runs afterwards, and ids made from a seed.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use tradepost::SystemClock;
use tradepost::domain::time::Timestamp;
use tradepost::ports::clock::{Clock, Ids, Keys, RandomIds};

/// No time that the demo sets.
const RUNS: i64 = i64::MIN;
/// 2026-01-01T00:00:00Z in microseconds. The ids of the sample data count from here, whenever it is made, so that a seed
/// gives the same ids on every day; ids made later are larger.
const EPOCH_MICROS: i64 = 1_767_225_600_000_000;

/// A clock that is fixed where it was set, until it is started.
pub(super) struct DemoClock {
    began: Timestamp,
    stands_at: AtomicI64,
}

impl DemoClock {
    /// A clock that is fixed at `began`.
    pub(super) fn at(began: Timestamp) -> Self {
        Self { began, stands_at: AtomicI64::new(began.as_micros()) }
    }

    /// Sets the time; never back.
    pub(super) fn set(&self, at: Timestamp) {
        self.stands_at.fetch_max(at.as_micros(), Ordering::Relaxed);
    }

    /// From now on it returns the computer's time.
    pub(super) fn run(&self) {
        self.stands_at.store(RUNS, Ordering::Relaxed);
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Timestamp {
        match self.stands_at.load(Ordering::Relaxed) {
            RUNS => SystemClock.now(),
            micros => Timestamp::from_micros(micros).unwrap_or(self.began),
        }
    }
}

/// UUIDv7 made from a seed, for the time since the sample data begins. Random ones once the clock runs.
pub(super) struct SeededIds {
    clock: std::sync::Arc<DemoClock>,
    seed: u64,
    made: AtomicU64,
    keys: Keys,
    random: RandomIds,
}

impl SeededIds {
    pub(super) fn new(clock: std::sync::Arc<DemoClock>, seed: u64) -> Self {
        Self { clock, seed, made: AtomicU64::new(0), keys: Keys::default(), random: RandomIds::default() }
    }
}

impl Ids for SeededIds {
    fn next(&self, at: Timestamp) -> [u8; 16] {
        if self.clock.stands_at.load(Ordering::Relaxed) == RUNS {
            return self.random.next(at);
        }
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let micros = EPOCH_MICROS.saturating_add(at.as_micros()).saturating_sub(self.clock.began.as_micros());
        let millis = u128::from(u64::try_from(micros / 1_000).unwrap_or(0));
        let random = super::rng::mix(self.seed.wrapping_add(number));
        // RFC 9562 §5.7: 48 bits of time, version 7, 12 bits, variant 2, 62 bits. The number comes before what is random,
        // so that ids of the same millisecond sort in the order in which they were made.
        let high = millis << 80 | 0x7 << 76 | u128::from(number >> 12 & 0xfff) << 64;
        let low = 0x2 << 62 | u128::from(number & 0xfff) << 50 | u128::from(random >> 14);
        (high | low).to_be_bytes()
    }

    /// Made of the stored time, and so another one on another day.
    fn key_of(&self, stored: Timestamp) -> [u8; 16] {
        if self.clock.stands_at.load(Ordering::Relaxed) == RUNS {
            return self.random.key_of(stored);
        }
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        self.keys.next(stored, super::rng::mix(self.seed.wrapping_add(number)).into())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn ids(began: i64, seed: u64) -> Vec<[u8; 16]> {
        let began = Timestamp::from_micros(began).unwrap();
        let ids = SeededIds::new(Arc::new(DemoClock::at(began)), seed);
        (0..5_000).map(|_| ids.next(began)).collect()
    }

    #[test]
    fn a_seed_gives_the_same_ids_on_another_day() {
        assert_eq!(ids(0, 42), ids(86_400_000_000, 42));
        assert_ne!(ids(0, 42), ids(0, 43));
    }

    #[test]
    fn ids_of_one_moment_sort_in_the_order_in_which_they_were_made() {
        assert!(ids(0, 42).is_sorted());
    }

    #[test]
    fn ids_are_of_version_7_and_variant_2() {
        assert!(ids(0, 42).iter().all(|id| id[6] >> 4 == 7 && id[8] >> 6 == 2));
    }
}
