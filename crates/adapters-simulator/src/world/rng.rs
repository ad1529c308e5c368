//! Everything that is left to chance, drawn from one seeded generator that is written down with the world.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

use crate::settings::Spread;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SeededRng(Pcg32);

impl SeededRng {
    pub(super) fn of(seed: u64) -> Self {
        Self(Pcg32::seed_from_u64(seed))
    }

    pub(super) fn within(&mut self, spread: Spread) -> u32 {
        self.0.random_range(spread.least..=spread.most.max(spread.least))
    }

    /// Whether something of this likelihood happens.
    pub(super) fn percent(&mut self, likelihood: u32) -> bool {
        self.within(Spread::new(0, 99)) < likelihood
    }

    /// The position of one of so many things; nothing when there are none.
    pub(super) fn one_of(&mut self, count: usize) -> Option<usize> {
        (count > 0).then(|| self.0.random_range(0..count))
    }
}
