//! The laws of the trading records, checked with random lives.
#![expect(clippy::unwrap_used, reason = "what a test sets up is known to be valid")]

mod account_machine;
mod breakers;
mod chain_laws;
mod contract_machine;
mod equity_laws;
mod evaluation_laws;
mod filter_laws;
mod given;
mod imported_laws;
mod intent_machine;
mod item_machine;
mod known;
mod ledger_laws;
mod mark_laws;
mod matching_laws;
mod offers;
mod pool_laws;
mod pricing_laws;
mod purchase_machine;
mod report_laws;
mod selling_laws;
mod snapshot_laws;
