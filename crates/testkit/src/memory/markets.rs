//! Records of the in-memory store: observations, prices and providers.

mod observations;
mod prices;
mod providers;
mod worlds;
