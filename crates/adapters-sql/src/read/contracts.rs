//! Reads of contracts and of the records that contracts create.

mod evaluations;
mod filter_sets;
mod intents;
pub(crate) mod open_records;
pub(crate) mod pools;
mod remediations;
mod reports;
mod trading_records;
