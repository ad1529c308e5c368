//! Reads of trading accounts, imports, trade offers and leases.

mod account_groups;
mod assignments;
mod imports;
mod leases;
mod trade_offers;
mod trading_accounts;
