//! Pools: capital with limits.

mod adjust_pool_funds;
mod archive_pool;
mod create_pool;
mod get_capital;
pub(crate) mod named_pools;
mod pause_pool;
pub(crate) mod pool_moves;
mod pool_queue;
mod read;
mod resume_pool;
pub(crate) mod shared_commit;
mod update_pool;

pub use adjust_pool_funds::AdjustPoolFunds;
pub use archive_pool::ArchivePool;
pub use create_pool::{CreatePool, LimitsOfPool};
pub use get_capital::{Capital, GetCapital};
pub use pause_pool::PausePool;
pub(crate) use pool_queue::{PoolClaim, PoolQueue};
pub use read::*;
pub use resume_pool::ResumePool;
pub use update_pool::UpdatePool;
