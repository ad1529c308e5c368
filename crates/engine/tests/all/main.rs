//! The engine over the operations in memory and the simulated world.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation ends the test")]

mod accounts;
mod deals;
mod deciding;
mod desk;
mod faults;
mod killed;
mod loops;
mod nodes;
mod problems;
mod providers;
mod reversed;
mod rounds;
mod settling;
