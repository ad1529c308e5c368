//! Audits: compare the records with marketplaces and the platform, outside the flow of a single trade.

pub(crate) mod balances;
pub(crate) mod chains;
pub(crate) mod inventories;
pub(crate) mod problems;
