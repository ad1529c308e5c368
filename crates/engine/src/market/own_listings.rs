//! Our own listings at a marketplace.

use tradepost_domain::asset::AssetId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::MarketListing;

/// Our own listings of a marketplace. What was listed after the read is not among them.
#[derive(Debug)]
pub(crate) struct OwnListings {
    read_at: Timestamp,
    listings: Vec<MarketListing>,
}

impl OwnListings {
    pub(crate) const fn new(read_at: Timestamp, listings: Vec<MarketListing>) -> Self {
        Self { read_at, listings }
    }

    pub(crate) const fn read_at(&self) -> Timestamp {
        self.read_at
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[MarketListing] {
        &self.listings
    }

    /// The listing of an item.
    pub(crate) fn of(&self, asset_id: &AssetId) -> Option<&MarketListing> {
        self.listings.iter().find(|listing| listing.asset_id == *asset_id)
    }
}
