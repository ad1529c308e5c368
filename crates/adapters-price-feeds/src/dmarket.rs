//! `DMarket`: the lowest ask and the highest bid of each kind of item, and its offers. Its aggregated prices are read page by page. All
//! calls are signed.

mod account;
mod offers;
mod page;
mod signed_reads;
mod signer;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tradepost_adapters_outside::{Budget, ClientError, Question, Route, ServiceClient, ServiceLimits};
use tradepost_domain::money::Currency;
use tradepost_domain::text::Marketplace;
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

use crate::answer::{NewShapes, failure, refused, usable};
use crate::asks::Asks;
use crate::listing_market::ListingManner;
use crate::service::{Connection, Service};
use page::{CURRENCY, Page};
use signer::Signer;

pub(crate) use account::DMarketAccount;
pub(crate) use offers::DMarketOffers;

pub(crate) const NAME: &str = "dmarket";
/// It reads with `POST`, because a question can have many names.
const AGGREGATED_PRICES: Route = Route::read_by_post("/marketplace-api/v1/aggregated-prices");
const METHOD: &str = "POST";
/// The game.
const GAME: &str = "a8db";
/// The most entries of a page.
const ENTRIES: &str = "100";
/// A list with more pages than this does not end.
const MOST_PAGES: usize = 1_000;

/// Its fee for sellers depends on the item, and is a tenth at most.
pub(crate) const LISTED: ListingManner = ListingManner {
    limits: limits_of_offers(),
    interval: Duration::from_secs(45),
    most: 100,
    fees: (0, 1_000),
    watches: false,
    key: "outside.keys.dmarket",
};

/// It allows 20 calls a second of this kind; the client of its own documents stays at 5.
pub(crate) const fn limits() -> ServiceLimits {
    ServiceLimits {
        budget: Budget { calls: 600, window: Duration::from_mins(5), gap: Duration::from_millis(300) },
        connect: Duration::from_secs(5),
        whole: Duration::from_secs(20),
        answer_bytes: 8 * 1024 * 1024,
        pause: Duration::from_mins(1),
        patience: Duration::from_secs(2),
    }
}

/// It allows 10 calls a second for offers. These are counted separately from those of prices, and together both stay below 6.
const fn limits_of_offers() -> ServiceLimits {
    // A page of 100 offers has about 300 KiB.
    let budget = Budget { calls: 60, window: Duration::from_mins(5), gap: Duration::from_millis(500) };
    ServiceLimits { budget, answer_bytes: 2 * 1024 * 1024, ..limits() }
}

/// `DMarket`, connected with a key.
pub(crate) struct DMarket(Arc<Connected>);

struct Connected {
    client: ServiceClient,
    clock: Arc<dyn Clock>,
    signer: Signer,
    name: Marketplace,
    new_shapes: NewShapes,
}

/// Its prices in dollars.
struct DMarketPrices {
    connected: Arc<Connected>,
    currency: Currency,
}

impl DMarket {
    pub(crate) fn connect(connection: Connection) -> Result<Self, ClientError> {
        let client = ServiceClient::new(connection.address, &[AGGREGATED_PRICES], connection.limits)?;
        let key = connection.keys.dmarket.ok_or_else(|| ClientError::other(&NoKey))?;
        let name = Marketplace::new(NAME).map_err(|error| ClientError::other(&error))?;
        let signer = Signer::new(key, Arc::clone(&connection.clock));
        let (clock, new_shapes) = (connection.clock, NewShapes::default());
        Ok(Self(Arc::new(Connected { client, clock, signer, name, new_shapes })))
    }
}

/// There is no key to sign with.
#[derive(Debug, thiserror::Error)]
#[error("DMarket is read with a key, and there is none")]
struct NoKey;

impl Service for DMarket {
    fn prices(&self, currency: Currency) -> Option<Arc<dyn PriceSource>> {
        let connected = Arc::clone(&self.0);
        (currency.to_string() == CURRENCY)
            .then(|| Arc::new(DMarketPrices { connected, currency }) as Arc<dyn PriceSource>)
    }
}

impl Connected {
    /// Reads the page after a cursor.
    async fn page(&self, cursor: Option<&str>) -> PriceResult<Page> {
        // A part of what buyers see is bought on its web site alone, and is not asked for.
        let mut question = json!({ "filter": { "game": GAME, "includeP2p": false }, "limit": ENTRIES });
        if let Some(cursor) = cursor {
            question["cursor"] = json!(cursor);
        }
        let body = question.to_string().into_bytes();
        let mut headers = self.signer.headers(METHOD, AGGREGATED_PRICES.path, &body);
        headers.push(("content-type", "application/json".to_owned()));
        let asked = Question { headers, body, ..Question::of(AGGREGATED_PRICES, &[]) };
        let answer = self.client.ask(asked).await.map_err(|error| failure(&error))?;
        self.signer.follow(answer.date);
        Page::read(&usable(answer)?)
    }
}

impl DMarketPrices {
    /// Reads pages up to a number, from the first.
    async fn pages(&self, most: usize) -> PriceResult<Vec<VariantQuote>> {
        // The prices are at least as old as the first question.
        let at = self.connected.clock.now();
        let (mut list, mut cursors) = (Asks::default(), BTreeSet::new());
        let mut cursor: Option<String> = None;
        for _ in 0..most {
            let Page { asks, next } = self.connected.page(cursor.as_deref()).await?;
            list.extend(asks);
            let Some(next) = next else { break };
            if !cursors.insert(next.clone()) {
                return Err(ExternalError::Unknown("its pages repeat".to_owned()));
            }
            cursor = Some(next);
        }
        if cursors.len() >= MOST_PAGES {
            return Err(refused(format!("its list has more than {MOST_PAGES} pages")));
        }
        Ok(list.into_quotes(&self.connected.name, at, &self.connected.new_shapes))
    }
}

#[async_trait]
impl PriceSource for DMarketPrices {
    fn name(&self) -> &Marketplace {
        &self.connected.name
    }

    fn currency(&self) -> Option<Currency> {
        Some(self.currency)
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        self.pages(MOST_PAGES).await
    }

    async fn sample(&self) -> PriceResult<Vec<VariantQuote>> {
        self.pages(1).await
    }

    fn new_shapes(&self) -> Vec<String> {
        self.connected.new_shapes.list()
    }
}
