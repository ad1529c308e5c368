//! Sources of real prices and listings: what each answers, as quotes of variants and as listings. A source is read alone; nothing is
//! written to it.
//!
//! It must not know which workspace reads which source, and makes no call but through the client of `adapters-outside`.
#![deny(missing_docs)]

mod amount;
mod answer;
mod asks;
mod bids;
mod csfloat;
mod dmarket;
mod dmarket_key;
mod feed;
mod keys;
mod listed;
mod listing_fields;
mod listing_market;
mod market_csgo;
mod market_listings;
mod own_account;
mod service;
mod skinport;
mod source;
mod steam_market;
mod watched_names;
mod waxpeer;

pub use dmarket_key::{DMarketKey, InvalidDMarketKey};
pub use feed::Feed;
pub use keys::OperatorKeys;
pub use market_listings::{ListingSettings, MarketListings};
pub use service::{Connection, Service};
pub use source::Source;
