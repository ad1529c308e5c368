//! What a contract did and proposed lately, as far as its limits depend on it.

use crate::money::Cents;
use crate::time::Timestamp;

/// What a contract did lately, as far as its limits ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    /// Money spent and reserved on the day, by UTC.
    pub spent_today: Cents,
    /// Items of the listing's market name that are bought or in transit.
    pub of_item_name: u32,
    /// When it last bought something.
    pub last_purchase_at: Option<Timestamp>,
    /// What it has proposed and not bought.
    pub proposed: Proposed,
}

/// What a contract has proposed without buying it: what waits for a person, or what a dry run would have bought. It counts against the
/// limits of the contract as purchases do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Proposed {
    /// How many items.
    pub quantity: u32,
    /// How many of them count as open purchases.
    pub open: u32,
    /// What they may cost, with fees.
    pub cost: Cents,
}
