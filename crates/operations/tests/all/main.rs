//! Operations over the in-memory store.
#![expect(clippy::panic, clippy::unwrap_used, reason = "test support: a failed expectation ends the test")]

mod accounts;
mod alerts;
mod contracts;
mod events;
mod harness;
mod in_flight;
mod mails;
mod markets;
mod old_answers;
mod trading;
