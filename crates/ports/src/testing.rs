//! What tests need of the ports: the in-memory model of storage, fakes of the others, samples of every record, and the
//! contract suite that every storage adapter runs. Nothing here belongs into a server.
#![expect(clippy::unwrap_used, clippy::panic, reason = "test support: a failed expectation ends the test")]

#[macro_use]
pub mod contracts;
pub mod fakes;
pub mod memory;
pub mod samples;
