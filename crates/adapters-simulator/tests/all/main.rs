//! Tests of the simulator: the contracts of both ports, what each fault looks like through them, and that the world is the
//! same in every run and never makes or loses anything.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation ends the test")]

mod accounts;
mod books;
mod contract;
mod desk;
mod driver;
mod faults;
mod folder;
mod in_mills;
mod market;
mod remote;
mod reproduction;
mod reversals;
mod sessions;
mod shapes;
mod signing;
mod social;
mod story;
