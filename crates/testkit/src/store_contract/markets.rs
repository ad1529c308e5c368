//! What storage promises of its records: observations, prices and providers.

pub mod observations;
pub mod prices;
pub mod providers;
