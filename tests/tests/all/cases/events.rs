//! The cases of events.

pub(super) mod webhooks;
