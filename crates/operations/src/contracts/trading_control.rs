//! The commands with which the engine and the server run trading: leases, halts, stale prices and open records.

pub(crate) mod apply_halts;
mod apply_price_staleness;
pub(crate) mod halts;
mod hold_leases;
pub(crate) mod open_records;
pub(crate) mod recent_activity;

pub use apply_price_staleness::ApplyPriceStaleness;
pub use hold_leases::{HeldLease, HoldLeases};
pub use open_records::{
    ContractsAtWork, ItemOfPurchase, ItemsInStatus, ItemsOfAccount, OpenPurchases, PurchaseOfOrder,
};
