//! Services whose prices are one list that is read with one call.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tradepost_adapters_outside::{Budget, ClientError, Route, ServiceClient, ServiceLimits};
use tradepost_domain::money::Currency;
use tradepost_domain::text::Marketplace;
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

use crate::answer::{NewShapes, failure, usable};
use crate::asks::Asks;
use crate::service::{Connection, Service};

/// The route of a list, and its query.
pub(crate) type ListQuestion<'a> = (Route, Vec<(&'static str, &'a str)>);

/// What differs between services of this kind.
pub(crate) struct Manner {
    /// The name of the source.
    pub(crate) name: &'static str,
    /// The currencies in which it has prices.
    pub(crate) currencies: &'static [&'static str],
    /// Its routes.
    pub(crate) routes: &'static [Route],
    /// The route and the query of the list in a currency.
    pub(crate) question: fn(&str) -> ListQuestion<'_>,
    /// Reads the list in a currency.
    pub(crate) read: fn(&[u8], &str) -> PriceResult<Asks>,
}

/// Limits of a service of which one list is read every five minutes. Ours are below what it allows, because others may call from the
/// same address.
pub(crate) const fn limits_of_a_list(calls: u32, window: Duration, gap: Duration) -> ServiceLimits {
    ServiceLimits {
        budget: Budget { calls, window, gap },
        connect: Duration::from_secs(5),
        whole: Duration::from_secs(20),
        // A list has some 25,000 entries of 100 to 500 bytes.
        answer_bytes: 32 * 1024 * 1024,
        pause: Duration::from_mins(5),
        patience: Duration::from_secs(1),
    }
}

/// A service, with one budget of calls for all currencies.
#[derive(Clone)]
pub(crate) struct Listed {
    manner: &'static Manner,
    client: Arc<ServiceClient>,
    clock: Arc<dyn Clock>,
    name: Marketplace,
    new_shapes: Arc<NewShapes>,
}

/// Its prices in one currency.
struct ListedPrices {
    service: Listed,
    currency: Currency,
}

impl Listed {
    pub(crate) fn connect(manner: &'static Manner, connection: Connection) -> Result<Self, ClientError> {
        let client = Arc::new(ServiceClient::new(connection.address, manner.routes, connection.limits)?);
        // It is a text: a test reads every driver.
        let name = Marketplace::new(manner.name).map_err(|error| ClientError::other(&error))?;
        Ok(Self { manner, client, clock: connection.clock, name, new_shapes: Arc::default() })
    }
}

impl Service for Listed {
    fn prices(&self, currency: Currency) -> Option<Arc<dyn PriceSource>> {
        let has = self.manner.currencies.contains(&currency.to_string().as_str());
        has.then(|| Arc::new(ListedPrices { service: self.clone(), currency }) as Arc<dyn PriceSource>)
    }
}

#[async_trait]
impl PriceSource for ListedPrices {
    fn name(&self) -> &Marketplace {
        &self.service.name
    }

    fn currency(&self) -> Option<Currency> {
        Some(self.currency)
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        // The prices are at least as old as the question.
        let at = self.service.clock.now();
        let currency = self.currency.to_string();
        let (route, query) = (self.service.manner.question)(&currency);
        let answer = self.service.client.get(route, &query).await.map_err(|error| failure(&error))?;
        let list = (self.service.manner.read)(&usable(answer)?, &currency)?;
        Ok(list.into_quotes(&self.service.name, at, &self.service.new_shapes))
    }

    fn new_shapes(&self) -> Vec<String> {
        self.service.new_shapes.list()
    }
}
