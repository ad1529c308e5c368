//! Reads of trading accounts, their trade offers and inventories, and leases.

mod account_groups;
mod assignments;
mod inventory_changes;
mod leases;
mod snapshots;
mod trade_offers;
mod trading_accounts;
