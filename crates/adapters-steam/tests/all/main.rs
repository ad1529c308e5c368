//! The driver against the facades of Steam, on loopback: what it reads and changes, how it signs accounts in, and what it makes of every fault.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation ends the test")]

mod calls;
mod confirmations;
mod contract;
mod deeds;
mod facades;
mod faults;
mod fleet;
mod paces;
mod pages;
mod questions;
mod reads;
mod scene;
mod secrets;
mod social;
mod social_deeds;
mod social_writes;
mod traders;
mod vault;
mod writes;
