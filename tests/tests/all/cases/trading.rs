//! The cases of trading accounts, their imports and their offers.

pub(super) mod account_groups;
pub(super) mod imports;
pub(super) mod inventories;
pub(super) mod trade_offers;
pub(super) mod trading_accounts;
