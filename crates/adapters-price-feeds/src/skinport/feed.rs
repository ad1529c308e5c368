//! Skinport as a feed that a server reads for its workspaces, or does not read, because its settings forbid it.

use std::sync::Arc;

use tradepost_adapters_outside::{ClientError, Egress};
use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::Currency;
use tradepost_domain::text::Marketplace;
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::{FeedUnavailable, PriceFeed, PriceSource};

use super::{NAME, Skinport, driver, limits};

/// Skinport for a server.
pub struct SkinportFeed {
    driver: Driver,
    name: Marketplace,
    skinport: Result<Skinport, FeedUnavailable>,
}

impl SkinportFeed {
    /// Skinport at an address, which is called only if the egress guard admits it.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(egress: &Egress, address: &str, clock: Arc<dyn Clock>) -> Result<Self, ClientError> {
        let skinport = match egress.admit(address) {
            Ok(address) => Ok(Skinport::new(address, limits(), clock)?),
            Err(refused) => Err(FeedUnavailable(format!("it is not called: {refused}"))),
        };
        // Both are texts: a test reads them.
        let driver = driver().map_err(|error| ClientError::other(&error))?;
        let name = Marketplace::new(NAME).map_err(|error| ClientError::other(&error))?;
        Ok(Self { driver, name, skinport })
    }
}

impl PriceFeed for SkinportFeed {
    fn driver(&self) -> &Driver {
        &self.driver
    }

    fn name(&self) -> &Marketplace {
        &self.name
    }

    fn source(&self, currency: Currency) -> Result<Arc<dyn PriceSource>, FeedUnavailable> {
        let skinport = self.skinport.as_ref().map_err(Clone::clone)?;
        let prices = skinport.prices(currency);
        let prices = prices.ok_or_else(|| FeedUnavailable(format!("it has no prices in {currency}")))?;
        Ok(Arc::new(prices))
    }
}

#[cfg(test)]
mod tests {
    use tradepost_domain::time::Timestamp;

    use super::*;
    use crate::ADDRESS;

    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp::MIN
        }
    }

    #[test]
    fn the_real_address_is_not_called_until_the_operator_says_so_and_the_reason_names_the_setting() {
        let source = |egress: &Egress, currency: &str| {
            let feed = SkinportFeed::new(egress, ADDRESS, Arc::new(Still)).unwrap();
            feed.source(Currency::new(currency).unwrap()).err().map(|unavailable| unavailable.to_string())
        };
        let host = || ["api.skinport.com".to_owned()];
        let reason = "it is not called: api.skinport.com is a real host, and the setting outside.real is not true";
        assert_eq!(source(&Egress::new(false, host()), "USD").as_deref(), Some(reason));
        let reason = "it is not called: the setting outside.hosts does not name api.skinport.com";
        assert_eq!(source(&Egress::new(true, []), "USD").as_deref(), Some(reason));
        let egress = Egress::new(true, host());
        assert_eq!(source(&egress, "USD"), None);
        assert_eq!(source(&egress, "JPY").as_deref(), Some("it has no prices in JPY"));
    }
}
