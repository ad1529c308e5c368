//! The drivers against the facades of their services, on loopback.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation ends the test")]

mod bids;
mod contract;
mod dmarket;
mod faults;
mod listings;
mod paces;
mod scene;
mod steam_market;
