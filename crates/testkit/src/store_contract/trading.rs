//! The promises of storage about its records: trading accounts, their trade offers, friends and chats, and leases.

pub mod chats;
pub mod friends;
pub mod leases;
pub mod trade_offers;
pub mod trading_accounts;
