//! The promises of storage about its records: webhooks.

pub mod webhooks;
