//! Rows of webhooks.

pub(crate) mod webhook_delivery;
pub(crate) mod webhook_endpoint;
pub(crate) mod webhook_progress;
