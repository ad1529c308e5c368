//! Rows of trading accounts, their imports, trade offers and inventories, and leases.

pub(crate) mod account_group;
pub(crate) mod import;
pub(crate) mod import_rows;
pub(crate) mod inventory_change;
pub(crate) mod lease;
pub(crate) mod offer_reading;
mod shown_item;
pub(crate) mod snapshot;
pub(crate) mod snapshot_item;
pub(crate) mod trade_offer;
pub(crate) mod trading_account;
