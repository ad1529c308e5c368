//! A price feed: a source of prices that a server reads by itself, for every workspace that has a provider of its driver.

use std::sync::Arc;
use std::time::Duration;

use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{MarketHashName, Marketplace};

use crate::price_source::PriceSource;

/// How often a list is read, if its feed does not say otherwise.
const USUAL_INTERVAL: Duration = Duration::from_mins(5);

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

    /// Returns the time between the end of a read and the next.
    fn interval(&self) -> Duration {
        USUAL_INTERVAL
    }

    /// Returns whether names can be watched: whether it is read name by name.
    fn watches(&self) -> bool {
        false
    }

    /// Reads these names more often than others, if names can be watched. They replace the names of an earlier call.
    fn watch(&self, _names: &[MarketHashName]) {}

    /// Returns the source in a currency. All currencies share one budget of calls.
    ///
    /// # Errors
    /// [`FeedUnavailable`] when it has no prices in the currency, or the settings of the server forbid to call it.
    fn source(&self, currency: Currency) -> Result<Arc<dyn PriceSource>, FeedUnavailable>;
}
