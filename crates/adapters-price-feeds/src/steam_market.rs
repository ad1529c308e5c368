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
use tradepost_domain::asset::AppId;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

use crate::answer::{NewShapes, failure, usable};
use crate::source::{Connection, Service};
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
        let Page { mut asks, shown, total } = Page::read(&usable(answer)?, start)?;
        self.new_shapes.note(std::mem::take(&mut asks.new_shapes));
        let mut walk = self.walk();
        if asks.left_out > 0 {
            tracing::info!(left_out = asks.left_out, source = NAME, "entries of a price list left out");
        }
        walk.keep(asks.quotes(&self.name, at));
        Ok(walk.passed(start, shown, total))
    }

    /// Reads the price of one name.
    async fn look_at(&self, name: &MarketHashName) -> PriceResult<()> {
        let at = self.clock.now();
        let query = [("appid", APP_ID), ("currency", DOLLARS), ("market_hash_name", name.as_str())];
        let answer = self.client.get(OVERVIEW, &query).await.map_err(|error| failure(&error))?;
        let Overview { ask, new_shapes } = overview::read(&usable(answer)?)?;
        self.new_shapes.note(new_shapes);
        if let Some(ask) = ask {
            self.walk().keep(vec![self.quote(name.clone(), ask, at)]);
        }
        Ok(())
    }

    fn quote(&self, market_hash_name: MarketHashName, ask: VenueCents, observed_at: Timestamp) -> VariantQuote {
        let source = self.name.clone();
        VariantQuote {
            variant: Variant { app_id: AppId::CS2, market_hash_name, phase: None },
            quote: Quote { source, lowest_ask: Some(ask), highest_bid: None, sales: None, observed_at },
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
            self.connected.look_at(&name).await?;
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
