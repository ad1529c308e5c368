//! The engine over the operations in memory and the simulated world.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation ends the test")]

mod absence;
mod accounts;
mod deciding;
mod desk;
mod faults;
mod killed;
mod loops;
mod moody;
mod nodes;
mod problems;
mod providers;
mod rounds;
mod settling;
mod stub;
