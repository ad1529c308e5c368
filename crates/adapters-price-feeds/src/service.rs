//! A service that is connected, and what its driver needs for that.

use std::sync::Arc;

use tradepost_adapters_outside::{ServiceAddress, ServiceLimits};
use tradepost_domain::money::Currency;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::PriceSource;

use crate::dmarket_key::DMarketKey;

/// What a driver needs to be connected.
pub struct Connection {
    /// Where the service is.
    pub address: ServiceAddress,
    /// How often and how long it is called.
    pub limits: ServiceLimits,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The key of `DMarket`; nothing else uses it.
    pub dmarket_key: Option<DMarketKey>,
}

/// A service that is connected.
pub trait Service: Send + Sync {
    /// Returns its prices in a currency; `None` if it has none in that.
    fn prices(&self, currency: Currency) -> Option<Arc<dyn PriceSource>>;

    /// Reads these names more often than others, if it is read name by name.
    fn watch(&self, _names: &[MarketHashName]) {}
}
