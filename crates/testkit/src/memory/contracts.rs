//! Records of the in-memory store: contracts and the records that their trading creates.

mod evaluations;
mod filter_sets;
mod intents;
mod open_records;
mod pools;
mod remediations;
mod reports;
mod trading;
mod transitions;
