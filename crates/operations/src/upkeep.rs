//! What a server does between calls: deleting what has expired.

pub(crate) mod cleanup;
pub(crate) mod clearing;

pub use cleanup::CleanupSummary;
