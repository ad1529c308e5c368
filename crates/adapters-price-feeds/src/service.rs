//! A service that is connected, and what its driver needs for that.

use std::sync::Arc;

use tradepost_adapters_outside::{ServiceAddress, ServiceLimits};
use tradepost_domain::money::Currency;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::PriceSource;

use crate::keys::OperatorKeys;

/// What a driver needs to be connected.
pub struct Connection {
    /// Where the service is.
    pub address: ServiceAddress,
    /// How often and how long it is called.
    pub limits: ServiceLimits,
    /// The same of the calls for the bids of names, where these have calls of their own.
    pub bid_limits: ServiceLimits,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The keys; each service uses its own.
    pub keys: OperatorKeys,
}

/// A service that is connected.
pub trait Service: Send + Sync {
    /// Returns its prices in a currency; `None` if it has none in that.
    fn prices(&self, currency: Currency) -> Option<Arc<dyn PriceSource>>;

    /// Reads these names more often than others, if it is read name by name.
    fn watch(&self, _names: &[MarketHashName]) {}
}
