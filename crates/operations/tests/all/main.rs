//! Operations over the in-memory store.

mod accounts;
mod contracts;
mod harness;
