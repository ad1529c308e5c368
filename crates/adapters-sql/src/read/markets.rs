//! Reads of providers and overridden prices.

mod prices;
mod providers;
