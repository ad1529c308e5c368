//! Reads of storage: contracts and the records that their trading creates.

pub(super) mod contract_versions;
pub(super) mod contracts;
pub(super) mod counters;
pub(super) mod equity_marks;
pub(super) mod evaluations;
pub(super) mod filter_sets;
pub(super) mod intents;
pub(super) mod item_names;
pub(super) mod items;
pub(super) mod ledger;
pub(super) mod pools;
pub(super) mod purchases;
pub(super) mod remediations;
pub(super) mod reports;
pub(super) mod searches;
pub(super) mod transitions;
