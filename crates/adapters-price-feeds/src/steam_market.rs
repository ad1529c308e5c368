//! The Steam Community Market: the lowest price that is asked there. It is read page by page, slowly, and nothing is written to it.
//!
//! A whole walk takes hours, so that prices carry the time of their own page, and names that are watched are read more often.

mod overview;
mod page;
mod walk;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tradepost_adapters_outside::{Budget, ClientError, Route, ServiceClient, ServiceLimits};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::{PriceRefusal, PriceResult, PriceSource, VariantQuote};

use crate::answer::{NewShapes, failure, usable};
use crate::asks::{Asked, Asks};
use crate::service::{Connection, Service};
use overview::Overview;
use page::Page;
use walk::{Stage, Walk};

pub(crate) const NAME: &str = "steam-market";
/// The time between two reads. A read takes a minute by itself.
pub(crate) const INTERVAL: Duration = Duration::from_secs(4);

const SEARCH: Route = Route::get("/market/search/render/");
const OVERVIEW: Route = Route::get("/market/priceoverview/");
/// The game.
const APP_ID: &str = "730";
/// The currency of its prices, and its number there.
const CURRENCY: &str = "USD";
const DOLLARS: &str = "1";
/// The most pages of a read.
const PAGES: usize = 10;
/// The most names of a read that are asked for one by one.
const NAMES: usize = 5;

/// It answers 15 to 20 calls a minute of one address.
pub(crate) const fn limits() -> ServiceLimits {
    ServiceLimits {
        budget: Budget { calls: 15, window: Duration::from_mins(1), gap: Duration::from_secs(4) },
        connect: Duration::from_secs(5),
        whole: Duration::from_secs(20),
        answer_bytes: 8 * 1024 * 1024,
        pause: Duration::from_mins(5),
        patience: Duration::from_secs(8),
    }
}

/// The market, with one walk and one budget.
pub(crate) struct SteamMarket(Arc<Connected>);

struct Connected {
    client: ServiceClient,
    clock: Arc<dyn Clock>,
    name: Marketplace,
    walk: Mutex<Walk>,
    new_shapes: NewShapes,
}

/// Its prices in dollars.
struct SteamPrices {
    connected: Arc<Connected>,
    currency: Currency,
}

impl SteamMarket {
    pub(crate) fn connect(connection: Connection) -> Result<Self, ClientError> {
        let client = ServiceClient::new(connection.address, &[SEARCH, OVERVIEW], connection.limits)?;
        let name = Marketplace::new(NAME).map_err(|error| ClientError::other(&error))?;
        Ok(Self(Arc::new(Connected {
            client,
            clock: connection.clock,
            name,
            walk: Mutex::default(),
            new_shapes: NewShapes::default(),
        })))
    }
}

impl Service for SteamMarket {
    fn prices(&self, currency: Currency) -> Option<Arc<dyn PriceSource>> {
        let connected = Arc::clone(&self.0);
        (currency.to_string() == CURRENCY)
            .then(|| Arc::new(SteamPrices { connected, currency }) as Arc<dyn PriceSource>)
    }

    fn watch(&self, names: &[MarketHashName]) {
        self.0.walk().watch(names);
    }
}

impl Connected {
    fn walk(&self) -> MutexGuard<'_, Walk> {
        self.walk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the next page of the walk.
    async fn next_page(&self) -> PriceResult<Stage> {
        let (start, at) = (self.walk().start(), self.clock.now());
        let shown = start.to_string();
        let query = [("norender", "1"), ("start", shown.as_str()), ("count", "10"), ("appid", APP_ID), ("query", "")];
        let answer = self.client.get(SEARCH, &query).await.map_err(|error| failure(&error))?;
        let Page { asks, shown, total } = Page::read(&usable(answer)?, start)?;
        let mut walk = self.walk();
        walk.keep(asks.into_quotes(&self.name, at, &self.new_shapes));
        Ok(walk.passed(start, shown, total))
    }

    /// Reads the price of one name.
    async fn look_at(&self, name: &MarketHashName) -> PriceResult<()> {
        let at = self.clock.now();
        let query = [("appid", APP_ID), ("currency", DOLLARS), ("market_hash_name", name.as_str())];
        let answer = self.client.get(OVERVIEW, &query).await.map_err(|error| failure(&error))?;
        let Overview { ask, new_shapes } = overview::read(&usable(answer)?)?;
        let mut asks = Asks::of_answer(new_shapes);
        asks.take(Some(name.as_str()), ask.map_or(Asked::Nothing, Asked::Price));
        self.walk().keep(asks.into_quotes(&self.name, at, &self.new_shapes));
        Ok(())
    }

    /// Leaves a name alone whose answer could not be read. Limits and refusals of the client are about no name.
    fn rest(&self, name: &MarketHashName, error: &ExternalError<PriceRefusal>) {
        match error {
            ExternalError::Rejected(PriceRefusal::Other(_)) | ExternalError::Unknown(_) => {
                self.walk().rest(name.clone());
            }
            ExternalError::Rejected(PriceRefusal::AsClient)
            | ExternalError::RateLimited { .. }
            | ExternalError::AuthLost { .. } => {}
        }
    }
}

#[async_trait]
impl PriceSource for SteamPrices {
    fn name(&self) -> &Marketplace {
        &self.connected.name
    }

    fn currency(&self) -> Option<Currency> {
        Some(self.currency)
    }

    /// What was read before a call failed is kept for the next read.
    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        let due = self.connected.walk().due(NAMES);
        for name in due {
            self.connected.look_at(&name).await.inspect_err(|error| self.connected.rest(&name, error))?;
        }
        for _ in 0..PAGES {
            match self.connected.next_page().await? {
                Stage::Within => {}
                Stage::Whole => break,
            }
        }
        Ok(self.connected.walk().take())
    }

    async fn sample(&self) -> PriceResult<Vec<VariantQuote>> {
        self.connected.next_page().await?;
        Ok(self.connected.walk().kept())
    }

    fn new_shapes(&self) -> Vec<String> {
        self.connected.new_shapes.list()
    }
}
