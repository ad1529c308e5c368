//! Trading accounts, their trades and trade offers, their friends and chats, and the leases of the nodes that work for them.

pub mod chat;
pub mod friend;
pub mod friend_list;
pub mod lease;
pub mod trade;
pub mod trade_offer;
pub mod trading_account;
