//! The environment of an operation: credential, limits, idempotency, counting and timing.

pub(crate) mod authenticate;
pub mod idempotency;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod response_timing;
pub(crate) mod tokens;
pub(crate) mod usage;
