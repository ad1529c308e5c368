//! Signs calls for `DMarket` by the time of its own clock. It must not know what a call asks for.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::Clock;

use crate::dmarket_key::DMarketKey;

const SECOND: i64 = 1_000_000;
/// `DMarket` rejects a signature that is older than two minutes by its clock. Less than this is the time that an answer takes.
const SKEW_SECONDS: i64 = 30;

/// A key with the clock of the service.
pub(super) struct Signer {
    key: DMarketKey,
    clock: Arc<dyn Clock>,
    /// By how many seconds its clock is ahead of ours.
    ahead: AtomicI64,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}

impl Signer {
    pub(super) fn new(key: DMarketKey, clock: Arc<dyn Clock>) -> Self {
        Self { key, clock, ahead: AtomicI64::new(0) }
    }

    /// The headers that sign a call to a path with its query.
    pub(super) fn headers(&self, method: &str, target: &str, body: &[u8]) -> Vec<(&'static str, String)> {
        self.key.headers(method, target, body, self.seconds())
    }

    /// The time of `DMarket`, as far as it is known.
    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.seconds().saturating_mul(SECOND)).unwrap_or_else(|_| self.clock.now())
    }

    /// Follows the clock of `DMarket`: with one that is two minutes off, every call would be rejected. Returns whether it was another one
    /// than was known.
    pub(super) fn follow(&self, theirs: Option<Timestamp>) -> bool {
        let Some(theirs) = theirs else { return false };
        let ahead = theirs.as_micros().saturating_sub(self.clock.now().as_micros()) / SECOND;
        let ahead = if ahead.abs() > SKEW_SECONDS { ahead } else { 0 };
        let known = self.ahead.swap(ahead, Ordering::Relaxed);
        (known - ahead).abs() > SKEW_SECONDS
    }

    /// The seconds since 1970.
    fn seconds(&self) -> i64 {
        (self.clock.now().as_micros() / SECOND).saturating_add(self.ahead.load(Ordering::Relaxed))
    }
}
