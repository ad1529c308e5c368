//! The listings of Waxpeer. It shows none by the time when they were put on sale, so that they are read by the names that contracts want, a
//! few names at once. After each round, and where there are no names, it is asked for the highest discounts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::json;
use tradepost_adapters_outside::{ClientError, Question, Route, ServiceAddress, ServiceClient, ServiceLimits};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketplaceRefusal, MarketplaceResult, SoughtListing};

use super::{GAME, KEY, on_sale};
use crate::keys;
use crate::listing_market::{Found, ListingMarket, allowed, ask, of_marketplace};
use crate::watched_names::WatchedNames;

const OF_NAMES: Route = Route::read_by_post("/v1/mass-info");
const DISCOUNTED: Route = Route::get("/v1/get-items-list");
const AVAILABILITY: Route = Route::get("/v1/check-availability");
/// The names of a read. It allows 50.
pub(super) const NAMES: usize = 20;

/// Waxpeer, connected with a key.
#[derive(Debug)]
pub(crate) struct WaxpeerListings {
    client: ServiceClient,
    key: SecretString,
    turns: Mutex<Turns>,
}

/// The names, and how many of them were read since the highest discounts were.
#[derive(Debug, Default)]
struct Turns {
    names: WatchedNames,
    read: usize,
}

impl Turns {
    /// The names of the next read; none where it is the turn of the highest discounts.
    fn next(&mut self) -> Vec<MarketHashName> {
        let due = if self.read < self.names.len() { self.names.due(NAMES) } else { Vec::new() };
        self.read = if due.is_empty() { 0 } else { self.read + due.len() };
        due
    }
}

impl WaxpeerListings {
    pub(crate) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: SecretString,
    ) -> Result<Self, ClientError> {
        let client = ServiceClient::new(address, &[OF_NAMES, DISCOUNTED, AVAILABILITY], limits)?;
        Ok(Self { client, key, turns: Mutex::default() })
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks with the key, which the service takes in the query alone.
    async fn body(&self, route: Route, query: &[(&str, &str)], names: &[&str]) -> MarketplaceResult<Vec<u8>> {
        let query = keys::query(KEY, &self.key, query);
        let mut question = Question::of(route, &query);
        if !names.is_empty() {
            question.headers.push(("content-type", "application/json".to_owned()));
            question.body = json!({ "name": names, "sell": 1 }).to_string().into_bytes();
        }
        allowed(ask(&self.client, question).await?)
    }
}

#[async_trait]
impl ListingMarket for WaxpeerListings {
    async fn newest(&self) -> MarketplaceResult<Found> {
        let due = self.turns().next();
        if due.is_empty() {
            let query = [GAME, ("skip", "0"), ("order", "DESC"), ("order_by", "discount")];
            let body = self.body(DISCOUNTED, &query, &[]).await?;
            return on_sale::discounted(&body).map_err(of_marketplace);
        }
        let names: Vec<&str> = due.iter().map(MarketHashName::as_str).collect();
        let body = self.body(OF_NAMES, &[GAME], &names).await?;
        on_sale::of_names(&body).map_err(of_marketplace)
    }

    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<Found> {
        let body = self.body(AVAILABILITY, &[("item_id", sought.id.as_str())], &[]).await?;
        let found = on_sale::available(&body, &sought.id).map_err(of_marketplace)?;
        // It shows neither whether it was sold, nor whether its seller is away.
        found.ok_or(ExternalError::Rejected(MarketplaceRefusal::SoldAlready))
    }

    fn watch(&self, names: &[MarketHashName]) {
        self.turns().names.watch(names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_every_name_once_and_then_the_highest_discounts() {
        let mut turns = Turns::default();
        assert!(turns.next().is_empty(), "there are no names");
        let names: Vec<_> = (0..45).map(|number| MarketHashName::new(&format!("Name {number}")).unwrap()).collect();
        turns.names.watch(&names);
        let round: Vec<usize> = (0..4).map(|_| turns.next().len()).collect();
        assert_eq!(round, [20, 20, 20, 0], "the third read has the first names again");
        assert_eq!(turns.next().len(), 20);
        turns.names.watch(&[]);
        assert!(turns.next().is_empty());
    }
}
