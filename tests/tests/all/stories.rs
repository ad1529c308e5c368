//! Whole stories, as a script with curl would live through them.

mod addresses;
mod chat;
mod confirmations;
mod contract_lives;
mod demo;
mod friends;
mod getting_started;
mod idempotency;
mod imports;
mod interface_examples;
mod inventory_changes;
mod keys;
mod linking;
pub(crate) mod live_demo;
mod outside;
mod passkeys;
mod pools;
mod profit_and_loss;
mod refused_trades;
mod second_factors;
mod sessions;
mod snapshots;
mod trading_accounts;
mod watching;
mod workspace_settings;
