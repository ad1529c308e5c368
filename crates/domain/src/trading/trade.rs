//! What the game platform reports about trades: partners, the status of an offer, the status of a trade.
//!
//! Its numbers are kept as it gives them; one that is not known yet is carried along and never an error.

mod numbers;

use std::fmt;
use std::num::NonZeroU64;

use crate::text::ExternalId;

pub use numbers::{OfferStatus, TradeStatus};

/// The upper half of the numbers of individual accounts: universe 1, type 1, instance 1.
const INDIVIDUAL: u64 = 0x0110_0001;

/// The number under which the platform knows a person or a trading account (a `SteamID64`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlatformUserId(NonZeroU64);

impl PlatformUserId {
    /// The person of this number.
    pub const fn new(number: NonZeroU64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn number(self) -> NonZeroU64 {
        self.0
    }

    /// Returns whether it is the number of an individual account of the public universe, and not of a group, a server or a bot of the
    /// platform's own.
    pub const fn is_individual(self) -> bool {
        let number = self.0.get();
        number >> 32 == INDIVIDUAL && number & 0xFFFF_FFFF != 0
    }
}

impl fmt::Display for PlatformUserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The address for offers to a user: the user, and the token of the trade URL that lets strangers send them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TradeAddress {
    /// The person.
    pub user: PlatformUserId,
    /// The token.
    pub token: ExternalId,
}
