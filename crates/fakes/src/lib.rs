//! Outside services as facades over one simulated world: the same items and prices, in the JSON of each service, with its limits, and
//! with faults on demand. For tests and development; no package has it.
//!
//! A facade must not know the driver that calls it. Its answers are held to cards of facts (`facts/*.toml`), so that a facade and a
//! driver do not merely agree with each other.
#![deny(missing_docs)]

mod control;
mod cutting;
mod facts;
mod fault;
mod ledger;
mod served;
mod skinport;
mod state;

pub use facts::{Card, FactError, Facts, Grade};
pub use fault::{Fault, FaultRule};
pub use ledger::LedgerEntry;
pub use served::{Addresses, ServeError, Served, serve};
pub use state::Fakes;
