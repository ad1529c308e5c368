//! Chance that a seed decides: the same seed gives the same sample data.

/// Numbers made from a seed by `SplitMix64` (Steele, Lea and Flood, 2014).
pub(super) struct SeededRng(u64);

impl SeededRng {
    pub(super) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to `below` - 1.
    pub(super) fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) % below.max(1)
    }

    /// One of these.
    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let index = usize::try_from(self.below(of.len() as u64)).unwrap_or(0);
        &of[index]
    }
}

/// The finishing of `SplitMix64`: each bit of the number changes half of the bits of what comes out.
pub(super) const fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
