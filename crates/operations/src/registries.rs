//! What registers with the operations while the process runs, such as the engines of marketplaces.

pub(crate) mod lookups;
pub(crate) mod providers;
