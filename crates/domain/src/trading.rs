//! Trading accounts, their imports, their trades, trade offers, inventories, friends and chats, and the leases of the nodes that work for them.

pub mod account_session;
pub mod chat;
pub mod confirmation;
pub mod confirmation_list;
pub mod friend;
pub mod friend_list;
pub mod giving;
pub mod import;
pub mod inventory_change;
pub mod lease;
pub mod offer_reading;
pub mod renewal;
pub mod snapshot;
pub mod trade;
pub mod trade_offer;
pub mod trading_account;
