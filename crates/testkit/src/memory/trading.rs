//! Records of the in-memory store: trading accounts, trade offers and leases.

mod account_groups;
mod assignments;
mod leases;
mod trade_offers;
mod trading_accounts;
