//! Rows of contracts and of the records that contracts create.

pub(crate) mod asset_id_link;
pub(crate) mod assignment;
pub(crate) mod contract;
pub(crate) mod contract_terms;
pub(crate) mod contract_version;
pub(crate) mod equity_mark;
pub(crate) mod evaluation;
pub(crate) mod filter_rules;
pub(crate) mod filter_set;
pub(crate) mod filter_set_version;
pub(crate) mod intent;
pub(crate) mod inventory_item;
pub(crate) mod ledger_entry;
pub(crate) mod pool;
pub(crate) mod purchase;
pub(crate) mod remediation;
