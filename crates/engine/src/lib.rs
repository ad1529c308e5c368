//! The trading loop: buys, receives, lists and sells what a workspace's contracts want, pass by pass.
//!
//! An [`Engine`] works for one [`Desk`]: a workspace with its trading accounts, the marketplaces and the game platform. A pass
//! reconciles uncertain purchases, buys, and then follows a bounded part of the open records: it reads their state at the external systems
//! and records it by operations. Memory holds only what can be read again. After a kill, the next engine reads the state and continues.
//!
//! Several nodes share a desk: each holds the leases of some marketplaces, and its writes are fenced by them.
//!
//! Three rules hold everywhere:
//!
//! - A change of an external system is committed before it is submitted.
//! - A call without a definite answer is never treated as a rejection. What was reserved for it stays reserved until its outcome
//!   is known.
//! - A call that changes something is repeated only with the same key, or after a read has shown that it had no effect.
#![deny(missing_docs)]

mod audit;
mod context;
mod desk;
mod engine;
mod error;
mod maintenance;
mod mark;
mod market;
mod orders;
mod pass;
mod sales;
#[cfg(test)]
mod samples;
mod sessions;
mod settlement;
mod social;
mod telemetry;
mod timings;
mod turns;

pub use desk::{Desk, TradingAccount, Venue};
pub use engine::Engine;
pub use error::EngineError;
pub use pass::{DecidedListing, Pass};
pub use timings::{EngineTimings, SafeTimings, UnsafeTimings};
