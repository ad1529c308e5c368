//! Reads of storage: contracts and the records that their trading creates.

pub(super) mod evaluations;
pub(super) mod filter_sets;
pub(super) mod intents;
pub(super) mod open_records;
pub(super) mod pools;
pub(super) mod remediations;
pub(super) mod reports;
pub(super) mod trading;
pub(super) mod transitions;
