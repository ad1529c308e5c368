//! Evaluations: what a contract would do with a listing, and why.

mod evaluate_contract;
mod quotes;
mod read;
mod simulate_contract;
mod watch_listings;

pub use evaluate_contract::{EvaluateContract, ToEvaluate};
pub use quotes::{FeeInput, GivenQuote, MarketView};
pub use read::*;
pub use simulate_contract::{SimulateContract, Simulated, Simulation, WouldHaveBought};
pub use watch_listings::{WatchListings, WatchedListings};
