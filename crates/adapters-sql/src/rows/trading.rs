//! Rows of trading accounts, their imports, trade offers, inventories, friends, chats, confirmations, sessions and renewals, and leases.

pub(crate) mod account_group;
pub(crate) mod account_session;
pub(crate) mod chat_message;
pub(crate) mod confirmation;
pub(crate) mod confirmation_list;
pub(crate) mod conversation;
pub(crate) mod friend;
pub(crate) mod friend_list;
pub(crate) mod import;
pub(crate) mod import_rows;
pub(crate) mod inventory_change;
pub(crate) mod lease;
pub(crate) mod offer_reading;
pub(crate) mod renewal;
mod shown_item;
pub(crate) mod snapshot;
pub(crate) mod snapshot_item;
pub(crate) mod trade_offer;
pub(crate) mod trading_account;
