//! Rate limits in the memory of one process: the generic cell rate algorithm (GCRA) over a map of partitions.
//!
//! It owns the default quotas. It must not know which call belongs to which class, nor what an answer says about limits.
#![deny(missing_docs)]

mod governor_limiter;
mod quotas;

pub use governor_limiter::GovernorLimiter;
pub use quotas::{InvalidQuota, Quotas};
