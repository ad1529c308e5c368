//! A source as a feed that a server reads for its workspaces, or does not read, because its settings forbid it.

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_outside::{ClientError, Egress};
use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::{FeedUnavailable, PriceFeed, PriceSource};

use crate::keys::OperatorKeys;
use crate::service::{Connection, Service};
use crate::source::Source;

/// A source for a server.
pub struct Feed {
    driver: Driver,
    name: Marketplace,
    interval: Duration,
    watches: bool,
    service: Result<Box<dyn Service>, FeedUnavailable>,
}

impl Feed {
    /// A source without a key, at an address which is called only if the egress guard admits it.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(of: Source, egress: &Egress, address: &str, clock: Arc<dyn Clock>) -> Result<Self, ClientError> {
        Self::with_keys(of, egress, address, clock, &OperatorKeys::default())
    }

    /// The same with the keys of the operator.
    ///
    /// # Errors
    /// As [`Feed::new`].
    pub fn with_keys(
        of: Source,
        egress: &Egress,
        address: &str,
        clock: Arc<dyn Clock>,
        keys: &OperatorKeys,
    ) -> Result<Self, ClientError> {
        let lacks_key = of == Source::DMarket && keys.dmarket.is_none();
        let service = match egress.admit(address) {
            Ok(_) if lacks_key => {
                Err(FeedUnavailable("it is not called: the setting outside.keys.dmarket is missing".to_owned()))
            }
            Ok(address) => {
                let (limits, bid_limits) = (of.limits(), of.bid_limits());
                Ok(of.connect(Connection { address, limits, bid_limits, clock, keys: keys.clone() })?)
            }
            Err(refused) => Err(FeedUnavailable(format!("it is not called: {refused}"))),
        };
        // Both are texts: a test reads them.
        let driver = of.driver().map_err(|error| ClientError::other(&error))?;
        let name = Marketplace::new(of.name()).map_err(|error| ClientError::other(&error))?;
        Ok(Self { driver, name, interval: of.interval(), watches: of.watches(keys), service })
    }
}

impl PriceFeed for Feed {
    fn driver(&self) -> &Driver {
        &self.driver
    }

    fn name(&self) -> &Marketplace {
        &self.name
    }

    fn interval(&self) -> Duration {
        self.interval
    }

    fn source(&self, currency: Currency) -> Result<Arc<dyn PriceSource>, FeedUnavailable> {
        let service = self.service.as_ref().map_err(Clone::clone)?;
        service.prices(currency).ok_or_else(|| FeedUnavailable(format!("it has no prices in {currency}")))
    }

    fn watches(&self) -> bool {
        self.watches
    }

    fn watch(&self, names: &[MarketHashName]) {
        if let Ok(service) = &self.service {
            service.watch(names);
        }
    }
}

#[cfg(test)]
mod tests {
    use tradepost_domain::time::Timestamp;

    use super::*;

    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp::MIN
        }
    }

    fn reason(of: Source, egress: &Egress, currency: &str) -> Option<String> {
        let feed = Feed::new(of, egress, of.address(), Arc::new(Still)).unwrap();
        feed.source(Currency::new(currency).unwrap()).err().map(|unavailable| unavailable.to_string())
    }

    fn host(of: Source) -> String {
        of.address().trim_start_matches("https://").to_owned()
    }

    #[test]
    fn no_real_address_is_called_until_the_operator_says_so_and_the_reason_names_the_setting() {
        for source in Source::ALL {
            let host = host(source);
            let expected = format!("it is not called: {host} is a real host, and the setting outside.real is not true");
            assert_eq!(reason(source, &Egress::new(false, [host.clone()]), "USD"), Some(expected));
            let expected = format!("it is not called: the setting outside.hosts does not name {host}");
            assert_eq!(reason(source, &Egress::new(true, []), "USD"), Some(expected));
            let lacks_key = "it is not called: the setting outside.keys.dmarket is missing".to_owned();
            let expected = (source == Source::DMarket).then_some(lacks_key);
            assert_eq!(reason(source, &Egress::new(true, [host]), "USD"), expected);
        }
    }

    #[test]
    fn names_are_watched_where_bids_or_prices_are_read_name_by_name() {
        let with_key = OperatorKeys { csfloat: Some("a-key".into()), ..OperatorKeys::default() };
        for source in Source::ALL {
            let watches = |keys: &OperatorKeys| {
                Feed::with_keys(source, &Egress::default(), source.address(), Arc::new(Still), keys).unwrap().watches()
            };
            assert_eq!(watches(&OperatorKeys::default()), source == Source::SteamMarket, "{source:?}");
            let by_name = matches!(source, Source::SteamMarket | Source::CsFloat);
            assert_eq!(watches(&with_key), by_name, "{source:?}");
        }
    }

    #[test]
    fn a_currency_that_a_source_does_not_have_is_the_reason() {
        for source in [Source::Skinport, Source::MarketCsgo, Source::Waxpeer, Source::CsFloat, Source::SteamMarket] {
            let egress = Egress::new(true, [host(source)]);
            assert_eq!(reason(source, &egress, "JPY").as_deref(), Some("it has no prices in JPY"));
            let has_euros = matches!(source, Source::Skinport | Source::MarketCsgo);
            assert_eq!(reason(source, &egress, "EUR").is_none(), has_euros, "{source:?}");
        }
    }
}
