//! Reads of trading accounts, trade offers and leases.

mod leases;
mod trade_offers;
mod trading_accounts;
