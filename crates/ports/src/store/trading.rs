//! Reads of storage: trading accounts, their imports, trade offers, inventories, friends, chats and confirmations, and leases.

pub(super) mod account_groups;
pub(super) mod account_sessions;
pub(super) mod assignments;
pub(super) mod chats;
pub(super) mod confirmations;
pub(super) mod friends;
pub(super) mod imports;
pub(super) mod inventory_changes;
pub(super) mod leases;
pub(super) mod renewals;
pub(super) mod snapshots;
pub(super) mod trade_offers;
pub(super) mod trading_accounts;
