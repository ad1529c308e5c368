//! How often each facade was called, in the time of the world.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use aws_lc_rs::digest::{SHA256, digest};
use time::Duration;
use tradepost_domain::time::Timestamp;

/// The calls of all facades.
#[derive(Debug, Default)]
pub(crate) struct Callers {
    made: BTreeMap<&'static str, VecDeque<Timestamp>>,
    banned: BTreeSet<&'static str>,
    /// The digests of the keys that were shown: no log of a facade can have a key.
    keys: BTreeSet<Vec<u8>>,
}

/// A limit of a facade.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    pub(crate) calls: usize,
    pub(crate) window: Duration,
}

/// What is left of a limit after a call was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// So many calls, and the seconds until the oldest is forgotten.
    Calls(usize, u64),
    /// None; the seconds to wait.
    Wait(u64),
}

impl Callers {
    /// Counts a call of a facade, unless it is one too many.
    pub(crate) fn count(&mut self, facade: &'static str, allowed: Allowed, now: Timestamp) -> Left {
        let made = self.made.entry(facade).or_default();
        while made.front().is_some_and(|at| now.since(*at) >= allowed.window) {
            made.pop_front();
        }
        let is_spent = made.len() >= allowed.calls;
        if !is_spent {
            made.push_back(now);
        }
        let oldest = made.front().map_or(Duration::ZERO, |at| now.since(*at));
        let wait = u64::try_from((allowed.window - oldest).whole_seconds().max(1)).unwrap_or(1);
        if is_spent { Left::Wait(wait) } else { Left::Calls(allowed.calls - made.len(), wait) }
    }

    /// Counts a key, once.
    pub(crate) fn show_key(&mut self, key: &str) {
        self.keys.insert(digest(&SHA256, key.as_bytes()).as_ref().to_vec());
    }

    /// The number of different keys so far.
    pub(crate) fn keys(&self) -> usize {
        self.keys.len()
    }

    /// Answers a caller of this facade nothing from now on.
    pub(crate) fn ban(&mut self, facade: &'static str) {
        self.banned.insert(facade);
    }

    pub(crate) fn is_banned(&self, facade: &str) -> bool {
        self.banned.contains(facade)
    }
}
