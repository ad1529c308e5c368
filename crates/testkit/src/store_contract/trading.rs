//! The promises of storage about its records: trading accounts, imports, trade offers and leases.

pub mod imports;
pub mod leases;
pub mod trade_offers;
pub mod trading_accounts;
