//! Limits that every check shares.

/// Findings that are reported in words. Further ones are only counted.
pub(super) const MAX_REPORTED: usize = 100;
