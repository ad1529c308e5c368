//! Records with sensible fields, so that a test names only the fields that matter to it. Every value is legal by the rules of the domain
//! and the same in every run.

mod account_sessions;
mod alerts;
mod audit;
mod confirmations;
mod evaluations;
mod filter_sets;
mod identity;
mod imports;
mod intents;
mod items;
mod markets;
mod pools;
mod providers;
mod remediations;
mod scene;
mod snapshots;
mod social;
mod trade_offers;
mod trading;
mod trading_accounts;
mod values;
mod webhooks;

use std::sync::atomic::{AtomicU64, Ordering};

use tradepost_domain::id::Id;
use tradepost_domain::text::Text;

use crate::fakes::SequentialIds;

pub use markets::variant;
pub use scene::Scene;
pub use values::{email, minute, start, text};

/// Creates records. Those of one value, and of values with other seeds, never share an id or anything else that must be unique.
#[derive(Debug, Default)]
pub struct Samples {
    seed: u16,
    ids: SequentialIds,
    count: AtomicU64,
}

impl Samples {
    /// Returns samples that share nothing with those of another seed.
    pub fn seeded(seed: u16) -> Self {
        Self { seed, ids: SequentialIds::seeded(seed), count: AtomicU64::new(0) }
    }

    /// Returns a new identifier, which sorts after all before.
    pub fn id<K>(&self) -> Id<K> {
        self.ids.mint(start())
    }

    /// Returns a number that was not returned before, and that other seeds do not return.
    fn number(&self) -> u64 {
        let count = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        (u64::from(self.seed) << 32) | count
    }

    /// Returns a text that was not returned before.
    fn unique<const MOST: usize>(&self, what: &str) -> Text<MOST> {
        text(&format!("{what}-{}", self.number()))
    }

    /// Returns 32 bytes that were not returned before.
    fn digest(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[24..].copy_from_slice(&self.number().to_be_bytes());
        bytes
    }
}
