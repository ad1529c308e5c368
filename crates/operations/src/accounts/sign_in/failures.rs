//! Counts of failed sign-ins by address and network, as this process remembers them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use moka::sync::Cache;

/// The time after the last failure for which the failures are remembered.
const REMEMBERED_FOR: Duration = Duration::from_mins(15);
const MOST_REMEMBERED: u64 = 100_000;

/// Failures that are remembered. In this process alone: how many tries there are at all is what the rate limits count.
pub(crate) struct Failures(Cache<Vec<u8>, Arc<AtomicU32>>);

impl Default for Failures {
    fn default() -> Self {
        Self(Cache::builder().time_to_idle(REMEMBERED_FOR).max_capacity(MOST_REMEMBERED).build())
    }
}

impl Failures {
    /// Returns how often signing in at a place has failed.
    pub(crate) fn count(&self, place: &[u8]) -> u32 {
        self.0.get(place).map_or(0, |failed| failed.load(Ordering::Relaxed))
    }

    pub(crate) fn add(&self, place: Vec<u8>) {
        self.0.get_with(place, Arc::default).fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn clear(&self, place: &[u8]) {
        self.0.invalidate(place);
    }
}
