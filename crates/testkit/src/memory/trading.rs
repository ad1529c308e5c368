//! Records of the in-memory store: trading accounts, their imports, trade offers and inventories, and leases.

mod account_groups;
mod assignments;
mod imports;
mod inventory_changes;
mod leases;
mod snapshots;
mod trade_offers;
mod trading_accounts;
