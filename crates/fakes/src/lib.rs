//! Outside services as facades over one simulated world: the same items, prices and accounts, in the form of each service, with its limits,
//! and with faults on demand. For tests and development; no package has it.
//!
//! A facade must not know the driver that calls it. Its answers are held to cards of facts (`facts/*.toml`), so that a facade and a
//! driver do not merely agree with each other.
#![deny(missing_docs)]

mod callers;
mod control;
mod csfloat;
mod cutting;
mod dmarket;
mod facade;
mod facts;
mod fault;
mod ledger;
mod market_csgo;
mod own_account;
mod protobuf;
mod served;
mod skinport;
mod state;
mod steam_api;
mod steam_bearer;
mod steam_community;
mod steam_market;
mod waxpeer;
mod world_prices;

pub use facts::{Card, FactError, Facts, Grade};
pub use fault::{Fault, FaultRule};
pub use ledger::LedgerEntry;
pub use served::{Addresses, ServeError, Served, serve};
pub use state::Fakes;
