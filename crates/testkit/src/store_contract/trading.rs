//! The promises of storage about its records: trading accounts, trade offers and leases.

pub mod leases;
pub mod trade_offers;
pub mod trading_accounts;
