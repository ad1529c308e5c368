//! Rows of trading accounts, trade offers and leases.

pub(crate) mod account_group;
pub(crate) mod lease;
pub(crate) mod trade_offer;
pub(crate) mod trading_account;
