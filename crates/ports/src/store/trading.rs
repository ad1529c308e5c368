//! Reads of storage: trading accounts, their trade offers, friends and chats, and leases.

pub(super) mod account_groups;
pub(super) mod assignments;
pub(super) mod chats;
pub(super) mod friends;
pub(super) mod leases;
pub(super) mod trade_offers;
pub(super) mod trading_accounts;
