//! What was seen lately, in bounded memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The entries that were kept last: at least `most` of them, and less than twice as many.
pub(crate) struct Recent<K, V> {
    entries: Mutex<Halves<K, V>>,
    most: usize,
}

struct Halves<K, V> {
    fresh: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    pub(crate) fn new(most: usize) -> Self {
        Self { entries: Mutex::new(Halves { fresh: HashMap::new(), old: HashMap::new() }), most }
    }

    fn entries(&self) -> MutexGuard<'_, Halves<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let entries = self.entries();
        entries.fresh.get(key).or_else(|| entries.old.get(key)).cloned()
    }

    pub(crate) fn insert(&self, key: K, value: V) {
        let mut entries = self.entries();
        if entries.fresh.len() >= self.most {
            entries.old = std::mem::take(&mut entries.fresh);
        }
        entries.fresh.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_entries_are_kept_and_the_oldest_forgotten() {
        let recent = Recent::new(2);
        for entry in 1..=5 {
            recent.insert(entry, entry * 10);
        }
        assert_eq!([1, 2, 3, 4, 5].map(|entry| recent.get(&entry)), [None, None, Some(30), Some(40), Some(50)]);
    }
}
