//! Trading accounts, their imports, their trades, trade offers and inventories, and the leases of the nodes that work for them.

pub mod import;
pub mod inventory_change;
pub mod lease;
pub mod offer_reading;
pub mod snapshot;
pub mod trade;
pub mod trade_offer;
pub mod trading_account;
