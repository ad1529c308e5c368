//! Rows of trading accounts, imports, trade offers and leases.

pub(crate) mod account_group;
pub(crate) mod import;
pub(crate) mod import_rows;
pub(crate) mod lease;
pub(crate) mod trade_offer;
pub(crate) mod trading_account;
