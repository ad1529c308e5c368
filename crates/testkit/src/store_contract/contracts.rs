//! What storage promises of its records: contracts and the records that trading them makes.

pub mod chain;
pub mod counters;
pub mod evaluations;
pub mod filter_sets;
pub mod intents;
pub mod open_records;
pub mod pools;
pub mod remediations;
pub mod reports;
pub mod trading;
pub mod transitions;
