//! The sign-ins that were begun, by the numbers that clients know them by.

use std::collections::BTreeMap;

use tradepost_domain::trading::trade::PlatformUserId;

/// The number of the first one. Those of Steam do not fit into 63 bits either.
const FIRST: u64 = 15_374_125_870_915_584_001;

/// The sign-ins of all clients.
#[derive(Debug, Default)]
pub(crate) struct SignIns(BTreeMap<u64, Begun>);

/// A sign-in that was begun.
#[derive(Debug, Clone)]
pub(super) struct Begun {
    /// What the world knows it by.
    pub(super) attempt: String,
    pub(super) user: PlatformUserId,
    pub(super) login_name: String,
}

impl SignIns {
    /// Keeps a sign-in, and returns its number.
    pub(super) fn keep(&mut self, begun: Begun) -> u64 {
        let number = self.0.last_key_value().map_or(FIRST, |(last, _)| last.saturating_add(1));
        self.0.insert(number, begun);
        number
    }

    pub(super) fn of_number(&self, number: u64) -> Option<Begun> {
        self.0.get(&number).cloned()
    }
}
