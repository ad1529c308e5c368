//! Reads of storage: webhooks.

pub(super) mod webhooks;
