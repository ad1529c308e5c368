//! Rate limits by the generic cell rate algorithm (GCRA): in the memory of one process, or shared by several.
//!
//! It owns the default quotas. It must not know which call belongs to which class, nor what an answer says about limits.
#![deny(missing_docs)]

mod governor_limiter;
mod quotas;
mod shared_limiter;

pub use governor_limiter::GovernorLimiter;
pub use quotas::{InvalidQuota, Quotas};
pub use shared_limiter::SharedLimiter;
