//! Rows of trading accounts, their trade offers, friends and chats, and leases.

pub(crate) mod account_group;
pub(crate) mod chat_message;
pub(crate) mod conversation;
pub(crate) mod friend;
pub(crate) mod friend_list;
pub(crate) mod lease;
pub(crate) mod trade_offer;
pub(crate) mod trading_account;
