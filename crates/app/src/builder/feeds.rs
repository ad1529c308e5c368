//! What a server reads by itself for its workspaces: price sources, and marketplaces that are only read.

use std::sync::Arc;

use tradepost_ports::marketplace::ListingFeed;
use tradepost_ports::price_source::PriceFeed;

use super::Builder;

/// The feeds of a server.
#[derive(Default)]
pub(crate) struct Feeds {
    pub(crate) prices: Vec<Arc<dyn PriceFeed>>,
    pub(crate) listings: Vec<Arc<dyn ListingFeed>>,
}

impl Builder {
    /// A source of prices that is read for every workspace with a provider of its driver, usually
    /// a [`Feed`](tradepost_adapters_price_feeds::Feed). By default there is none. Each call adds one.
    pub fn price_feed(mut self, feed: Arc<dyn PriceFeed>) -> Self {
        self.feeds.prices.push(feed);
        self
    }

    /// A marketplace that is read for every workspace with a provider of its driver, usually
    /// [`MarketListings`](tradepost_adapters_price_feeds::MarketListings). Nothing is bought there. By default there is none. Each call
    /// adds one.
    pub fn listing_feed(mut self, feed: Arc<dyn ListingFeed>) -> Self {
        self.feeds.listings.push(feed);
        self
    }
}
