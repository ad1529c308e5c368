//! Reads of storage: observations, prices and providers.

pub(super) mod candles;
pub(super) mod observations;
pub(super) mod prices;
pub(super) mod providers;
pub(super) mod quotes;
pub(super) mod worlds;
