//! Trading accounts, their imports, their trades and trade offers, and the leases of the nodes that work for them.

pub mod import;
pub mod lease;
pub mod trade;
pub mod trade_offer;
pub mod trading_account;
