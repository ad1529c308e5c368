//! A moment by both clocks that an intent lives by.

use crate::time::Timestamp;

/// A moment by both clocks: listings and prices live by the market's, which may run a thousand times as fast as that of the people
/// who decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The time at the market.
    pub market: Timestamp,
    /// The time at the server.
    pub server: Timestamp,
}

impl Moment {
    /// A moment at which both clocks show the same.
    pub const fn of(at: Timestamp) -> Self {
        Self { market: at, server: at }
    }
}
