//! The cases of trading accounts, their imports, offers, friends, chats, confirmations and sessions.

pub(super) mod account_groups;
pub(super) mod chats;
pub(super) mod confirmations;
pub(super) mod friends;
pub(super) mod imports;
pub(super) mod inventories;
pub(super) mod sessions;
pub(super) mod trade_offers;
pub(super) mod trading_accounts;
