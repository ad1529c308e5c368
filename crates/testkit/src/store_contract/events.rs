//! The promises of storage about its records: webhooks and alerts.

pub mod alerts;
pub mod webhooks;
