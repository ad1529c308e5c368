//! A listing feed: a marketplace that a server reads by itself, for every workspace that has a provider of its driver. Nothing is bought or
//! listed there: the port has no method for it.

use std::time::Duration;

use async_trait::async_trait;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{ExternalId, MarketHashName, Marketplace};

use super::{MarketListing, MarketStanding, MarketplaceResult};
use crate::price_source::FeedUnavailable;

/// A listing that is to be read again, by what a marketplace may find it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoughtListing {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The name of the item. Some marketplaces show a listing among those of its name alone.
    pub market_hash_name: MarketHashName,
}

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

    /// Returns whether it is read name by name: whether names can be watched.
    fn watches(&self) -> bool {
        false
    }

    /// Reads the listings of these names, if it is read name by name. They replace the names of an earlier call.
    fn watch(&self, _names: &[MarketHashName]) {}

    /// Returns the listings that were put on sale last, newest first; of a marketplace that is read name by name, the listings of the names
    /// whose turn it is. What cannot be represented is left out.
    ///
    /// # Errors
    /// [`ExternalError`](crate::external::ExternalError).
    async fn newest(&self) -> MarketplaceResult<Vec<MarketListing>>;

    /// Returns a listing with its status, also one that is no longer on sale where the marketplace shows it.
    ///
    /// # Errors
    /// [`ExternalError`](crate::external::ExternalError); rejected with
    /// [`NotFound`](super::MarketplaceRefusal::NotFound) where no listing has the id, or with
    /// [`SoldAlready`](super::MarketplaceRefusal::SoldAlready) where the marketplace only shows that it is not on sale.
    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<MarketListing>;

    /// Returns what reads the account behind the key; nothing where that is not read, or the settings of the server do not permit it.
    fn account(&self) -> Option<&dyn MarketStanding> {
        None
    }

    /// Returns what its answers have had since the process began and no card of facts describes, as sentences without a value.
    fn new_shapes(&self) -> Vec<String> {
        Vec::new()
    }
}
