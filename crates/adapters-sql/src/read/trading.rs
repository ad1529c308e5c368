//! Reads of trading accounts, their trade offers, friends and chats, and leases.

mod account_groups;
mod assignments;
mod chats;
mod friends;
mod leases;
mod trade_offers;
mod trading_accounts;
