//! Services whose asks are one list that is read with one call. What is bid there may be a second list, or be read name by name.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tradepost_adapters_outside::{Budget, ClientError, Route, ServiceClient, ServiceLimits, ShapeDrift};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::{PriceRefusal, PriceResult, PriceSource, VariantQuote};

use crate::answer::{NewShapes, failure, usable};
use crate::asks::Asks;
use crate::bids::NamedBids;
use crate::service::{Connection, Service};

/// The route of a list, and its query.
pub(crate) type ListQuestion<'a> = (Route, Vec<(&'static str, &'a str)>);

/// A list that is read with one call.
pub(crate) struct List {
    /// The route and the query of the list in a currency.
    pub(crate) question: fn(&str) -> ListQuestion<'_>,
    /// Reads the list in a currency.
    pub(crate) read: fn(&[u8], &str) -> PriceResult<Asks>,
}

/// What differs between services of this kind.
pub(crate) struct Manner {
    /// The name of the source.
    pub(crate) name: &'static str,
    /// The currencies in which it has prices.
    pub(crate) currencies: &'static [&'static str],
    /// Its routes.
    pub(crate) routes: &'static [Route],
    /// What is asked.
    pub(crate) asks: List,
    /// What is bid, if it has a list of that.
    pub(crate) bids: Option<List>,
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
    /// What is bid, where that is read name by name.
    named_bids: Option<Arc<dyn NamedBids>>,
    /// Why the bids were not read, as it was reported last.
    bid_failure: Arc<Mutex<Option<String>>>,
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
        let (new_shapes, bid_failure) = (Arc::default(), Arc::default());
        Ok(Self { manner, client, clock: connection.clock, name, new_shapes, named_bids: None, bid_failure })
    }

    /// The same with bids that are read name by name.
    pub(crate) fn with_bids(self, bids: Arc<dyn NamedBids>) -> Self {
        Self { named_bids: Some(bids), ..self }
    }

    async fn list(&self, of: &List, currency: &str) -> PriceResult<Asks> {
        let (route, query) = (of.question)(currency);
        let answer = self.client.get(route, &query).await.map_err(|error| failure(&error))?;
        (of.read)(&usable(answer)?, currency)
    }

    /// Reads what is bid. A failure is reported once, and keeps nothing from the asks.
    async fn bids(&self, currency: &str) -> Asks {
        let (mut bids, mut failed) = (Asks::default(), None);
        if let Some(list) = &self.manner.bids {
            match self.list(list, currency).await {
                Ok(read) => bids.extend(read),
                Err(error) => failed = Some(error),
            }
        }
        if let Some(by_name) = &self.named_bids {
            failed = by_name.read().await.err().or(failed);
            bids.extend(by_name.recent());
        }
        self.report(failed.as_ref());
        bids
    }

    fn report(&self, failed: Option<&ExternalError<PriceRefusal>>) {
        if let Some(ExternalError::Unknown(text)) = failed
            && let Some(drift) = ShapeDrift::in_text(text)
        {
            self.new_shapes.note(BTreeSet::from([drift.to_owned()]));
        }
        let reason = failed.map(ToString::to_string);
        let mut known = self.bid_failure.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reason) = reason.as_ref().filter(|reason| known.as_ref() != Some(*reason)) {
            tracing::warn!(source = %self.name, %reason, "the bids of a source were not read");
        }
        *known = reason;
    }
}

impl Service for Listed {
    fn prices(&self, currency: Currency) -> Option<Arc<dyn PriceSource>> {
        let has = self.manner.currencies.contains(&currency.to_string().as_str());
        has.then(|| Arc::new(ListedPrices { service: self.clone(), currency }) as Arc<dyn PriceSource>)
    }

    fn watch(&self, names: &[MarketHashName]) {
        if let Some(bids) = &self.named_bids {
            bids.watch(names);
        }
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
        let mut list = self.service.list(&self.service.manner.asks, &currency).await?;
        list.extend(self.service.bids(&currency).await);
        Ok(list.into_quotes(&self.service.name, at, &self.service.new_shapes))
    }

    async fn sample(&self) -> PriceResult<Vec<VariantQuote>> {
        let at = self.service.clock.now();
        let list = self.service.list(&self.service.manner.asks, &self.currency.to_string()).await?;
        Ok(list.into_quotes(&self.service.name, at, &self.service.new_shapes))
    }

    fn new_shapes(&self) -> Vec<String> {
        self.service.new_shapes.list()
    }
}
