//! The promises of storage about its records: contracts and the records that their trading creates.

pub mod chain;
pub mod counters;
pub mod equity_marks;
pub mod evaluations;
pub mod filter_sets;
pub mod filters;
pub mod intents;
pub mod open_records;
pub mod pools;
pub mod remediations;
pub mod reports;
pub mod searches;
pub mod trading;
pub mod transitions;
