//! Reads of trading accounts, their imports, trade offers, inventories, friends, chats, confirmations, sessions and renewals, and leases.

mod account_groups;
mod account_sessions;
mod assignments;
mod chats;
mod confirmations;
mod friends;
mod imports;
mod inventory_changes;
mod leases;
mod renewals;
mod snapshots;
mod trade_offers;
mod trading_accounts;
