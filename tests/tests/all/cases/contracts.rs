//! The cases of contracts, purchases, items, pools and what follows from them.

pub(super) mod assignments;
pub(super) mod contract_lives;
pub(super) mod endings;
pub(super) mod evaluations;
pub(super) mod filter_sets;
pub(super) mod intents;
pub(super) mod pools;
pub(super) mod profit_and_loss;
pub(super) mod reads;
pub(super) mod remediations;
pub(super) mod transitions;
