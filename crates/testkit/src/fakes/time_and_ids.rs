//! A clock that moves only when a test sets it, and ids that count.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use time::Duration;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;

use tradepost_ports::clock::{Clock, Ids, Keys, MarketClock};

/// A clock that shows the time that a test set. It may be a server's, or that of a simulated market.
#[derive(Debug)]
pub struct FixedClock {
    micros: AtomicI64,
}

impl FixedClock {
    /// Returns a clock set to this time.
    pub const fn at(start: Timestamp) -> Self {
        Self { micros: AtomicI64::new(start.as_micros()) }
    }

    /// Sets it, forwards or backwards.
    pub fn set(&self, to: Timestamp) {
        self.micros.store(to.as_micros(), Ordering::SeqCst);
    }

    /// Moves it by a duration, backwards if that is negative.
    pub fn advance(&self, by: Duration) {
        self.set(self.now().plus(by));
    }
}

impl Default for FixedClock {
    /// Returns the first of January 2026, midnight.
    fn default() -> Self {
        Self::at(crate::samples::start())
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.micros.load(Ordering::SeqCst)).unwrap()
    }
}

impl MarketClock for FixedClock {
    fn market_now(&self) -> Timestamp {
        self.now()
    }

    fn market_elapsed(&self) -> std::time::Duration {
        self.elapsed()
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Simulated
    }

    fn speed(&self) -> u32 {
        0
    }
}

/// The clock of a server that lives in the time of a market.
pub struct ServerIn(pub Arc<dyn MarketClock>);

impl Clock for ServerIn {
    fn now(&self) -> Timestamp {
        self.0.market_now()
    }

    fn elapsed(&self) -> std::time::Duration {
        self.0.market_elapsed()
    }
}

/// Ids in the form of UUIDv7 that count up. Equal seeds give equal ids, other seeds give others.
#[derive(Debug, Default)]
pub struct SequentialIds {
    seed: u16,
    last: Mutex<Last>,
    keys: Keys,
}

#[derive(Debug, Default, Clone, Copy)]
struct Last {
    millis: u64,
    count: u64,
}

impl SequentialIds {
    /// Returns ids that no other seed gives.
    pub fn seeded(seed: u16) -> Self {
        Self { seed, ..Self::default() }
    }

    /// Returns an identifier of the requested kind.
    pub fn mint<K>(&self, at: Timestamp) -> Id<K> {
        Id::from_bytes(self.next(at))
    }
}

/// The clone continues from the current state of the original.
impl Clone for SequentialIds {
    fn clone(&self) -> Self {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        Self { seed: self.seed, last: Mutex::new(last), keys: self.keys.clone() }
    }
}

impl Ids for SequentialIds {
    fn next(&self, at: Timestamp) -> [u8; 16] {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let millis = u64::try_from(at.as_micros() / 1_000).unwrap_or(0);
        // A time that runs backwards must not make an id that sorts before an earlier one.
        last.millis = last.millis.max(millis);
        last.count += 1;
        // RFC 9562 §5.7: 48 bits of time, the version, 12 bits of zeros, the variant, then the count and the seed.
        let high = (last.millis << 16) | 0x7000;
        let low = (0b10 << 62) | (last.count << 16) | u64::from(self.seed);
        ((u128::from(high) << 64) | u128::from(low)).to_be_bytes()
    }

    fn key_of(&self, stored: Timestamp) -> [u8; 16] {
        self.keys.next(stored, u128::from(self.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_ids_ascend_even_when_time_goes_back() {
        let ids = SequentialIds::seeded(7);
        let start = crate::samples::start();
        let made = [start, start.plus(Duration::days(-1)), start.plus(Duration::seconds(1))].map(|at| ids.next(at));
        assert!(made.is_sorted());
        let id = uuid::Uuid::from_bytes(made[0]);
        assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122));
    }

    #[test]
    fn another_seed_gives_other_ids() {
        let start = crate::samples::start();
        assert_ne!(SequentialIds::seeded(1).next(start), SequentialIds::seeded(2).next(start));
        assert_eq!(SequentialIds::seeded(1).next(start), SequentialIds::seeded(1).next(start));
    }

    #[test]
    fn a_fixed_clock_moves_only_when_it_is_advanced() {
        let clock = FixedClock::default();
        let before = clock.now();
        clock.advance(Duration::minutes(3));
        assert_eq!(clock.now().since(before), Duration::minutes(3));
    }
}
