//! A listing feed: a marketplace that a server reads by itself, for every workspace that has a provider of its driver. Nothing is bought or
//! listed there: the port has no method for it.

use std::time::Duration;

use async_trait::async_trait;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{ExternalId, Marketplace};

use super::{MarketListing, MarketplaceResult};
use crate::price_source::FeedUnavailable;

/// A marketplace whose listings are read alone.
#[async_trait]
pub trait ListingFeed: Send + Sync {
    /// Returns the driver, as it describes itself.
    fn driver(&self) -> &Driver;

    /// Returns the name that its providers have.
    fn name(&self) -> &Marketplace;

    /// Returns the currency of its prices. A workspace with another one cannot read it.
    fn currency(&self) -> Currency;

    /// Returns the time between the end of a read and the next.
    fn interval(&self) -> Duration;

    /// Returns how many single listings can be read after each read of the newest, within its limits.
    fn follow_ups(&self) -> u32 {
        1
    }

    /// Returns whether it can be read.
    ///
    /// # Errors
    /// [`FeedUnavailable`] when the settings of the server forbid to call it, or a key is missing. Nothing was called.
    fn ready(&self) -> Result<(), FeedUnavailable>;

    /// Returns the fees of its buyers and sellers, as it documents them.
    fn fees(&self) -> FeeSchedule;

    /// Returns the listings that were put on sale last, newest first. What cannot be represented is left out.
    ///
    /// # Errors
    /// [`ExternalError`](crate::external::ExternalError).
    async fn newest(&self) -> MarketplaceResult<Vec<MarketListing>>;

    /// Returns a listing with its status, also one that is no longer on sale.
    ///
    /// # Errors
    /// [`ExternalError`](crate::external::ExternalError); [`MarketplaceRefusal::NotFound`](super::MarketplaceRefusal::NotFound).
    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<MarketListing>;

    /// Returns what its answers have had since the process began and no card of facts describes, as sentences without a value.
    fn new_shapes(&self) -> Vec<String> {
        Vec::new()
    }
}
