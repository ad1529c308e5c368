//! Reads of storage: trading accounts, trade offers and leases.

pub(super) mod account_groups;
pub(super) mod assignments;
pub(super) mod leases;
pub(super) mod trade_offers;
pub(super) mod trading_accounts;
