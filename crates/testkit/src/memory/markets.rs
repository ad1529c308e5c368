//! Records of the in-memory store: observations, prices and providers.

mod candles;
mod observations;
mod prices;
mod providers;
mod quotes;
mod worlds;
