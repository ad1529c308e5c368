//! Reads of storage: trading accounts, imports, trade offers and leases.

pub(super) mod account_groups;
pub(super) mod assignments;
pub(super) mod imports;
pub(super) mod leases;
pub(super) mod trade_offers;
pub(super) mod trading_accounts;
