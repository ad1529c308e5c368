//! Events for programs outside: their types, and the webhooks that deliver them.
//!
//! An event is a change of status that is already in the log. Nothing here stores it a second time.

pub mod event_type;
pub mod health;
pub mod webhook_delivery;
pub mod webhook_endpoint;
pub mod webhook_progress;
