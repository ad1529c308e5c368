//! Limits that every check shares.

/// The most findings that a check reports in words. Records and chains count further ones; of other checks there may be more.
pub const MAX_REPORTED: usize = 100;
