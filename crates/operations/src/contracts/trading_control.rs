//! What the engine and the server use to run trading: leases, halts, stale prices and the records that are open.

mod apply_halts;
mod apply_price_staleness;
mod halts;
mod hold_leases;
mod open_records;

pub use apply_price_staleness::ApplyPriceStaleness;
pub use hold_leases::{HeldLease, HoldLeases};
pub use open_records::{ContractsAtWork, ItemOfPurchase, ItemsInStatus, ItemsOfAccount, OpenPurchases};
