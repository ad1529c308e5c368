//! The promises of storage about its records: trading accounts, their imports, trade offers and inventories, and leases.

pub mod imports;
pub mod inventory_changes;
pub mod leases;
pub mod snapshots;
pub mod trade_offers;
pub mod trading_accounts;
