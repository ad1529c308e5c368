//! Tokens that the platform has issued and that could not be sealed yet. The platform issues them once.

use std::collections::BTreeMap;

use tradepost_ports::game_platform::sessions::Tokens;

/// Tokens by the record that they belong to.
#[derive(Debug, Clone)]
pub(crate) struct Unkept<K>(BTreeMap<K, Tokens>);

impl<K: Ord> Default for Unkept<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord> Unkept<K> {
    pub(super) fn keep(&mut self, of: K, tokens: Tokens) {
        self.0.insert(of, tokens);
    }

    pub(super) fn has(&self, of: &K) -> bool {
        self.0.contains_key(of)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, to try again.
    pub(super) fn take(&mut self) -> BTreeMap<K, Tokens> {
        std::mem::take(&mut self.0)
    }
}
