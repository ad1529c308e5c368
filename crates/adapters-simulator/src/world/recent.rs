//! What changed when, so that who asks for changes is not answered from the whole past.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tradepost_domain::time::Timestamp;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Recent<T: Ord> {
    by_micros: BTreeMap<i64, BTreeSet<T>>,
}

impl<T: Ord> Default for Recent<T> {
    fn default() -> Self {
        Self { by_micros: BTreeMap::new() }
    }
}

impl<T: Ord + Copy> Recent<T> {
    /// Notes a change.
    pub(super) fn add(&mut self, what: T, at: Timestamp) {
        self.by_micros.entry(at.as_micros()).or_default().insert(what);
    }

    /// Forgets what was noted of a change.
    pub(super) fn remove(&mut self, what: T, at: Timestamp) {
        if let Some(changed) = self.by_micros.get_mut(&at.as_micros()) {
            changed.remove(&what);
            if changed.is_empty() {
                self.by_micros.remove(&at.as_micros());
            }
        }
    }

    /// What changed at this time or later, the oldest change first.
    pub(super) fn since(&self, at: Timestamp) -> impl Iterator<Item = T> {
        self.by_micros.range(at.as_micros()..).flat_map(|(_, changed)| changed.iter().copied())
    }
}
