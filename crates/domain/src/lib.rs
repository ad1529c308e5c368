//! The rules of tradepost, pure: no I/O, no async, no clock, no randomness, no panics.
//!
//! Every function is total: what a rule refuses comes back as a small error enum that says which rule broke. Time is a
//! parameter, money is checked, and data sits in the state it belongs to, so that an illegal record cannot be written down.
#![deny(missing_docs)]

pub mod accounts;
pub mod alerts;
pub mod asset;
pub mod contracts;
pub mod events;
pub mod float_value;
pub mod id;
pub mod idempotency;
pub mod markets;
pub mod money;
pub mod name_search;
pub mod names;
pub mod network;
pub mod text;
pub mod time;
pub mod trading;
pub mod transition;
