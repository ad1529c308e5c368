//! Records of `events.v1` on the wire.

pub(crate) mod webhook_deliveries;
pub(crate) mod webhook_endpoints;
