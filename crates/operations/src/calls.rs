//! The environment of an operation: credential, limits, idempotency, counting and timing.

pub(crate) mod admission;
pub(crate) mod authenticate;
pub(crate) mod call_counts;
pub(crate) mod charge;
pub(crate) mod credential_cache;
pub mod idempotency;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod response_timing;
pub(crate) mod tokens;
pub(crate) mod usage;
pub(crate) mod uses;
