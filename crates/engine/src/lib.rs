//! The trading loop: what a workspace's contracts ask for is bought, delivered, put on sale and sold, pass by pass.
//!
//! An [`Engine`] works for one [`Desk`]: a workspace with its trading accounts, the marketplaces and the game platform. A pass
//! buys first, then looks at what waits for something, some of it at a time, asks the outside what became of it, and tells the
//! operations what was seen. Nothing is kept in memory that could not be found again: whoever is killed in the middle of a pass is followed by
//! one that reads where everything stands.
//!
//! Several nodes share a desk: each holds the leases of some marketplaces, and what it writes is fenced by them.
//!
//! Three rules hold everywhere:
//!
//! - What changes something outside is committed before it is sent.
//! - A call that ends without a definite answer is never taken for a refusal. What was reserved for it stays reserved until it is
//!   known what happened.
//! - A call that changes something is made again only with the same key, or after reading that it had no effect.
#![deny(missing_docs)]

mod audit;
mod context;
mod desk;
mod engine;
mod error;
mod maintenance;
mod mark;
mod market;
mod open_records;
mod orders;
mod pass;
mod sales;
mod settlement;
mod timings;

pub use desk::{Desk, TradingAccount, Venue};
pub use engine::Engine;
pub use error::EngineError;
pub use pass::{DecidedListing, Pass};
pub use timings::{EngineTimings, UnsafeTimings};
