//! What the account behind the key of a marketplace has there, as it was last read.

use crate::money::VenueCents;
use crate::time::Timestamp;

/// What the operator's account has at a marketplace that is only read, in the marketplace's currency. It is not the money of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountStanding {
    /// When it was read.
    pub seen_at: Timestamp,
    /// The available balance.
    pub balance: VenueCents,
    /// The number of its listings on sale.
    pub listings: u32,
    /// The sum of what these listings ask.
    pub asked: VenueCents,
    /// The number of its open buy orders.
    pub orders: u32,
}
