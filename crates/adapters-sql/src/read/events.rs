//! Reads of webhooks.

mod webhooks;
