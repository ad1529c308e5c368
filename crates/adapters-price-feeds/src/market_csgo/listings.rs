//! The listings of market.csgo.com. It shows none by the time when they were put on sale, so that they are read by the names that contracts
//! want, a few names at once. It shows a listing among those of its name alone.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_adapters_outside::{ClientError, Question, Route, ServiceAddress, ServiceClient, ServiceLimits};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketplaceRefusal, MarketplaceResult, SoughtListing};

use super::on_sale;
use crate::keys;
use crate::listing_market::{Found, ListingMarket, allowed, ask, of_marketplace};
use crate::watched_names::WatchedNames;

const OF_NAMES: Route = Route::get("/api/v2/search-list-items-by-hash-name-all");
const OF_NAME: Route = Route::get("/api/v2/search-item-by-hash-name-specific");
/// The names of a read. It allows 50.
pub(super) const NAMES: usize = 20;
/// The name that is asked for where there are none, so that a test of the provider shows whether the key works.
const USUAL: &str = "AK-47 | Redline (Field-Tested)";

/// market.csgo.com, connected with a key.
#[derive(Debug)]
pub(crate) struct MarketCsgoListings {
    client: ServiceClient,
    key: SecretString,
    names: Mutex<WatchedNames>,
}

impl MarketCsgoListings {
    pub(crate) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: SecretString,
    ) -> Result<Self, ClientError> {
        let client = ServiceClient::new(address, &[OF_NAMES, OF_NAME], limits)?;
        Ok(Self { client, key, names: Mutex::default() })
    }

    fn names(&self) -> MutexGuard<'_, WatchedNames> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks with the key, which the service takes in the query alone.
    async fn body(&self, route: Route, query: &[(&str, &str)]) -> MarketplaceResult<Vec<u8>> {
        let query = keys::query("key", &self.key, query);
        allowed(ask(&self.client, Question::of(route, &query)).await?)
    }
}

#[async_trait]
impl ListingMarket for MarketCsgoListings {
    async fn newest(&self) -> MarketplaceResult<Found> {
        let due = self.names().due(NAMES);
        let names = if due.is_empty() { vec![USUAL] } else { due.iter().map(MarketHashName::as_str).collect() };
        let query: Vec<(&str, &str)> = names.into_iter().map(|name| ("list_hash_name[]", name)).collect();
        on_sale::of_names(&self.body(OF_NAMES, &query).await?).map_err(of_marketplace)
    }

    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<Found> {
        let body = self.body(OF_NAME, &[("hash_name", sought.market_hash_name.as_str())]).await?;
        let found = on_sale::one(&body, sought).map_err(of_marketplace)?;
        found.ok_or(ExternalError::Rejected(MarketplaceRefusal::NotFound))
    }

    fn watch(&self, names: &[MarketHashName]) {
        self.names().watch(names);
    }
}
