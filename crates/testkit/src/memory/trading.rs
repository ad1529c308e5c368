//! Records of the in-memory store: trading accounts, their imports, trade offers, inventories, friends, chats and confirmations, and leases.

mod account_groups;
mod assignments;
mod chats;
mod confirmations;
mod friends;
mod imports;
mod inventory_changes;
mod leases;
mod snapshots;
mod trade_offers;
mod trading_accounts;
