//! Standing orders and what they bring about: contracts, intents, purchases, inventory items, and the money behind them.

pub mod assignment;
pub mod chain;
pub mod contract;
pub mod equity;
pub mod evaluation;
pub mod filter_set;
pub mod imported_item;
pub mod intent;
pub mod inventory_item;
pub mod ledger;
pub mod matching;
pub mod pool;
pub mod purchase;
pub mod remediation;
