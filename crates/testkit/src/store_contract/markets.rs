//! The promises of storage about its records: observations, prices and providers.

pub mod observations;
pub mod prices;
pub mod providers;
