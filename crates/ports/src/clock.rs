//! Time and identifiers. Nothing else in the system reads a clock or creates an id.
//!
//! There are two times. [`Clock`] is the server's time, for users, sessions, keys, proofs, limits and the audit log. [`MarketClock`] is the
//! time of a workspace's market, for contracts, markets and trading accounts. The types keep the two apart.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::Id;
use tradepost_domain::time::Timestamp;
use uuid::{ContextV7, Uuid};

/// The server's time.
pub trait Clock: Send + Sync {
    /// Returns the time now, in UTC.
    fn now(&self) -> Timestamp;

    /// Returns the time since an arbitrary beginning. It never runs backwards, and does not move when the clock is set.
    fn elapsed(&self) -> Duration {
        BEGAN.elapsed()
    }
}

/// The time of the first call for the elapsed time.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The time of a market in which workspaces trade. It is a type apart from [`Clock`]. So no code checks users, keys and proofs by market
/// time, or trades by the server's time unless it says so: see [`RealMarket`].
pub trait MarketClock: Send + Sync {
    /// Returns the time of the market, in UTC.
    fn market_now(&self) -> Timestamp;

    /// Returns the market time since an arbitrary beginning. It never runs backwards, and does not move when a clock is set.
    fn market_elapsed(&self) -> Duration;

    /// Returns the kind of market whose time it is.
    fn kind(&self) -> MarketKind;

    /// Returns the seconds of the market in a second of the server; 0 where the clock moves only in steps.
    fn speed(&self) -> u32 {
        1
    }
}

/// The time of the real market, which is the server's time.
#[derive(Clone)]
pub struct RealMarket(pub Arc<dyn Clock>);

impl MarketClock for RealMarket {
    fn market_now(&self) -> Timestamp {
        self.0.now()
    }

    fn market_elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Real
    }
}

/// The source of identifiers.
pub trait Ids: Send + Sync {
    /// Returns a UUIDv7 (RFC 9562 §5.7) for something created now, by the server's clock. Later ids sort after earlier ones of this
    /// process, whatever the clock is set to. An id is a name and an order, and never a time to search for.
    fn next(&self, now: Timestamp) -> [u8; 16];

    /// Returns a key of the same form for a record that is found by its own stored time. It begins with that time to the millisecond,
    /// whatever was created before, and moves no other identifier.
    fn key_of(&self, stored: Timestamp) -> [u8; 16];
}

impl dyn Ids {
    /// Returns an identifier of the requested kind.
    pub fn mint<K>(&self, now: Timestamp) -> Id<K> {
        Id::from_bytes(self.next(now))
    }
}

/// UUIDv7 from the operating system's randomness, monotonic within the process.
#[derive(Debug, Default)]
pub struct RandomIds {
    context: Mutex<ContextV7>,
    keys: Keys,
}

impl Ids for RandomIds {
    fn next(&self, now: Timestamp) -> [u8; 16] {
        let since_epoch = Duration::from_micros(u64::try_from(now.as_micros()).unwrap_or(0));
        let context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        let timestamp = uuid::Timestamp::from_unix(&*context, since_epoch.as_secs(), since_epoch.subsec_nanos());
        Uuid::new_v7(timestamp).into_bytes()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the port: what is random of a key comes from here")]
    fn key_of(&self, stored: Timestamp) -> [u8; 16] {
        self.keys.next(stored, Uuid::new_v4().as_u128())
    }
}

/// Keys that begin with a stored time. Keys of one millisecond and one process are in the order of their creation.
#[derive(Debug, Default)]
pub struct Keys {
    made: AtomicU32,
}

/// The clone continues from the current state of the original.
impl Clone for Keys {
    fn clone(&self) -> Self {
        Self { made: AtomicU32::new(self.made.load(Ordering::Relaxed)) }
    }
}

impl Keys {
    /// Returns the next key of this time, with random bits at its end.
    pub fn next(&self, stored: Timestamp, random: u128) -> [u8; 16] {
        /// Bits of the number before the variant and after it.
        const BEFORE: u32 = 12;
        const BEHIND: u32 = 20;
        let number = u128::from(self.made.fetch_add(1, Ordering::Relaxed));
        let millis = u128::try_from(stored.as_micros().div_euclid(1_000)).unwrap_or(0);
        let rest = random & ((1 << (62 - BEHIND)) - 1);
        // RFC 9562 §5.7: 48 bits of time, version 7, 12 bits, variant 2, 62 bits.
        let high = (millis & ((1 << 48) - 1)) << 80 | 0x7 << 76 | (number >> BEHIND & ((1 << BEFORE) - 1)) << 64;
        let low = 0b10 << 62 | (number & ((1 << BEHIND) - 1)) << (62 - BEHIND) | rest;
        (high | low).to_be_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(number: i64) -> Timestamp {
        Timestamp::from_micros(number * 1_000_000).unwrap()
    }

    fn millis(key: [u8; 16]) -> u128 {
        u128::from_be_bytes(key) >> 80
    }

    #[test]
    fn a_key_begins_with_its_stored_time_whatever_was_made_before() {
        let ids = RandomIds::default();
        let _ = (ids.next(second(9_000)), ids.key_of(second(8_000)));
        assert_eq!(millis(ids.key_of(second(1_000))), 1_000_000);
        assert_eq!(millis(ids.key_of(second(7_000))), 7_000_000);
    }

    #[test]
    fn a_key_moves_no_identifier() {
        let ids = RandomIds::default();
        let _ = ids.key_of(second(9_000_000));
        assert_eq!(millis(ids.next(second(1_000))), 1_000_000);
    }

    #[test]
    fn keys_of_one_time_are_of_version_7_and_sort_in_the_order_in_which_they_were_made() {
        let ids = RandomIds::default();
        let keys: Vec<_> = (0..5_000).map(|_| ids.key_of(second(1))).collect();
        assert!(keys.is_sorted());
        assert!(keys.iter().all(|key| key[6] >> 4 == 7 && key[8] >> 6 == 2));
    }

    #[test]
    fn identifiers_ascend_when_the_clock_is_set_back() {
        let ids = RandomIds::default();
        let made: Vec<_> = [5_000, 1_000, 6_000, 2].map(|at| ids.next(second(at))).into();
        assert!(made.is_sorted());
    }
}
