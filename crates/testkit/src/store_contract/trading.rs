//! The promises of storage about its records: trading accounts, their imports, trade offers, inventories, friends, chats and confirmations, and leases.

pub mod chats;
pub mod confirmations;
pub mod friends;
pub mod imports;
pub mod inventory_changes;
pub mod leases;
pub mod snapshots;
pub mod trade_offers;
pub mod trading_accounts;
