//! Skinport: the lowest price that is asked there for each kind of item. Only its public list is read, without a key.

mod feed;
mod list;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tradepost_adapters_outside::{
    Access, Budget, CallError, ClientError, Route, ServiceAddress, ServiceAnswer, ServiceClient, ServiceError,
    ServiceLimits,
};
use tradepost_domain::markets::provider::{Driver, ProviderCapability, ProviderKind, RateLimit, Served};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{Marketplace, Name, Text, TextError};
use tradepost_ports::clock::Clock;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::price_source::{PriceRefusal, PriceResult, PriceSource, VariantQuote};

pub use feed::SkinportFeed;
use list::PriceList;

/// The name of the driver, and of the provider and the source in a workspace.
pub const NAME: &str = "skinport";
/// Where Skinport is.
pub const ADDRESS: &str = "https://api.skinport.com";
/// The currencies in which it has prices.
const CURRENCIES: [&str; 15] =
    ["AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "NOK", "PLN", "RUB", "SEK", "TRY", "USD"];
/// The game.
const APP_ID: &str = "730";

const ITEMS: Route = Route { path: "/v1/items", access: Access::Read };
const ROUTES: &[Route] = &[ITEMS];

/// The calls that Skinport allows in five minutes.
const ALLOWED: u32 = 8;
/// Ours. Its list changes every five minutes, and others may call from the same address.
const OURS: u32 = ALLOWED / 2;
const WINDOW: Duration = Duration::from_mins(5);

/// The limits of calls to Skinport.
pub const fn limits() -> ServiceLimits {
    ServiceLimits {
        budget: Budget { calls: OURS, window: WINDOW },
        connect: Duration::from_secs(5),
        whole: Duration::from_secs(20),
        // Its list has some 25,000 entries of 400 bytes.
        answer_bytes: 32 * 1024 * 1024,
        pause: WINDOW,
    }
}

/// Skinport as a driver of providers. It needs no settings and no credentials.
///
/// # Errors
/// Never: its texts are texts.
pub fn driver() -> Result<Driver, TextError> {
    let calls = RateLimit { name: Name::new("price lists")?, calls: OURS, seconds: 300 };
    Ok(Driver {
        name: Name::new(NAME)?,
        description: Text::new("The lowest asks at Skinport, read alone. The provider has the name skinport.")?,
        serves: vec![Served { kind: ProviderKind::PriceSource, capabilities: [ProviderCapability::Quotes].into() }],
        settings: Vec::new(),
        credentials: Vec::new(),
        rate_limits: vec![calls],
    })
}

/// Skinport, with one budget of calls for all currencies.
#[derive(Clone)]
pub struct Skinport {
    client: Arc<ServiceClient>,
    clock: Arc<dyn Clock>,
    name: Marketplace,
}

/// Its prices in one currency.
#[derive(Clone)]
pub struct SkinportPrices {
    skinport: Skinport,
    currency: Currency,
}

impl Skinport {
    /// Skinport at an address.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(address: ServiceAddress, limits: ServiceLimits, clock: Arc<dyn Clock>) -> Result<Self, ClientError> {
        let client = Arc::new(ServiceClient::new(address, ROUTES, limits)?);
        // It is a text: a test reads the driver.
        let name = Marketplace::new(NAME).map_err(|error| ClientError::other(&error))?;
        Ok(Self { client, clock, name })
    }

    /// Its prices in a currency; `None` if it has none in that.
    pub fn prices(&self, currency: Currency) -> Option<SkinportPrices> {
        let has = CURRENCIES.contains(&currency.to_string().as_str());
        has.then(|| SkinportPrices { skinport: self.clone(), currency })
    }
}

impl SkinportPrices {
    async fn list(&self) -> PriceResult<PriceList> {
        let currency = self.currency.to_string();
        let query = [("app_id", APP_ID), ("currency", currency.as_str()), ("tradable", "0")];
        let answer = self.skinport.client.get(ITEMS, &query).await.map_err(|error| failure(&error))?;
        PriceList::read(&usable(answer)?, &currency)
    }
}

#[async_trait]
impl PriceSource for SkinportPrices {
    fn name(&self) -> &Marketplace {
        &self.skinport.name
    }

    fn currency(&self) -> Option<Currency> {
        Some(self.currency)
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        // The prices are at least as old as the question.
        let at = self.skinport.clock.now();
        let list = self.list().await?;
        if list.left_out > 0 {
            tracing::info!(left_out = list.left_out, source = NAME, "entries of a price list left out");
        }
        Ok(list.quotes(&self.skinport.name, at))
    }
}

/// The body of an answer that may hold a list. Statuses are all that is read of the others: their texts are of no known form.
fn usable(answer: ServiceAnswer) -> PriceResult<Vec<u8>> {
    match answer.status {
        200 => Ok(answer.body),
        status @ (400 | 402 | 403 | 404) => Err(refused(format!("it answered {status}"))),
        401 => Err(ExternalError::AuthLost { effect: Effect::Nothing }),
        status => Err(ExternalError::Unknown(format!("it answered {status}"))),
    }
}

const fn refused(text: String) -> ExternalError<PriceRefusal> {
    ExternalError::Rejected(PriceRefusal::Other(text))
}

/// What a call that failed means. A read has no effect.
fn failure(error: &ServiceError) -> ExternalError<PriceRefusal> {
    match error {
        ServiceError::Paced(retry_after) | ServiceError::Limited(retry_after) => {
            ExternalError::RateLimited { retry_after: *retry_after, effect: Effect::Nothing }
        }
        ServiceError::RefusedAsClient(_) => ExternalError::Rejected(PriceRefusal::AsClient),
        ServiceError::NotListed(_) | ServiceError::Write(_) => refused(error.to_string()),
        ServiceError::TooLarge(_)
        | ServiceError::Call(CallError::NotReachable | CallError::TimedOut(_) | CallError::OnTheWay(_)) => {
            ExternalError::Unknown(error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_describes_itself_and_calls_less_often_than_it_may() {
        let driver = driver().unwrap();
        assert!(driver.capabilities(ProviderKind::PriceSource).is_some());
        assert!(driver.capabilities(ProviderKind::Marketplace).is_none());
        assert_eq!(driver.rate_limits.first().map(|limit| (limit.calls, limit.seconds)), Some((4, 300)));
        assert!(limits().budget.calls < ALLOWED);
    }

    #[test]
    fn every_route_of_the_driver_reads() {
        assert!(ROUTES.iter().all(|route| route.access == Access::Read));
    }
}
