//! A price feed: a source of prices that a server reads by itself, for every workspace that has a provider of its driver.

use std::sync::Arc;

use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::Currency;
use tradepost_domain::text::Marketplace;

use crate::price_source::PriceSource;

/// Why a feed is not read at all. Nothing was called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FeedUnavailable(pub String);

/// A source of prices that needs nothing of a workspace.
pub trait PriceFeed: Send + Sync {
    /// Returns the driver, as it describes itself.
    fn driver(&self) -> &Driver;

    /// Returns the name that its providers have: a workspace has one of them, because two would count as two sources.
    fn name(&self) -> &Marketplace;

    /// Returns the source in a currency. All currencies share one budget of calls.
    ///
    /// # Errors
    /// [`FeedUnavailable`] when it has no prices in the currency, or the settings of the server forbid to call it.
    fn source(&self, currency: Currency) -> Result<Arc<dyn PriceSource>, FeedUnavailable>;
}
