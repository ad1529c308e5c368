//! Records of the in-memory store: webhooks.

mod webhooks;
