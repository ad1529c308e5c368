//! The listings of `CSFloat`: those that were put on sale last, and one by its id, also when it is no longer on sale.

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::Value;
use tradepost_adapters_outside::{
    ClientError, Question, Route, ServiceAddress, ServiceAnswer, ServiceClient, ServiceLimits,
};
use tradepost_domain::text::ExternalId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketplaceRefusal, MarketplaceResult, SoughtListing};

use super::{KEY, on_sale};
use crate::keys;
use crate::listing_market::{Found, ListingMarket, allowed, ask, of_marketplace};

const LISTINGS: Route = Route::get("/api/v1/listings");
const SINGLE: Route = Route::get("/api/v1/listings/{id}");
/// The query of the newest listings. It allows 50 at once. What is auctioned has no price yet.
const NEWEST: &[(&str, &str)] = &[("limit", "50"), ("sort_by", "most_recent"), ("type", "buy_now")];
const MISSING: u16 = 404;
/// The status of every error of the service itself, and of the error for an id that is not known, which has the text.
const BROKEN: u16 = 500;
const NOT_FOUND: &str = "record not found";

/// `CSFloat`, connected with a key.
#[derive(Debug)]
pub(crate) struct CsFloatListings {
    client: ServiceClient,
    key: SecretString,
}

impl CsFloatListings {
    pub(crate) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: SecretString,
    ) -> Result<Self, ClientError> {
        Ok(Self { client: ServiceClient::new(address, &[LISTINGS, SINGLE], limits)?, key })
    }

    async fn answer(
        &self,
        route: Route,
        id: Option<&ExternalId>,
        query: &[(&str, &str)],
    ) -> MarketplaceResult<ServiceAnswer> {
        let headers = vec![keys::header(KEY, &self.key)];
        let question = Question { id: id.map(ExternalId::as_str), headers, ..Question::of(route, query) };
        ask(&self.client, question).await
    }
}

#[async_trait]
impl ListingMarket for CsFloatListings {
    async fn newest(&self) -> MarketplaceResult<Found> {
        let answer = self.answer(LISTINGS, None, NEWEST).await?;
        on_sale::newest(&allowed(answer)?).map_err(of_marketplace)
    }

    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<Found> {
        let answer = self.answer(SINGLE, Some(&sought.id), &[]).await?;
        if is_not_found(&answer) {
            return Err(ExternalError::Rejected(MarketplaceRefusal::NotFound));
        }
        on_sale::single(&allowed(answer)?).map_err(of_marketplace)
    }
}

/// Whether the service says that it knows no listing of this id.
fn is_not_found(answer: &ServiceAnswer) -> bool {
    let says_so = || {
        let error: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let message = error.as_ref().and_then(|error| error.get("message")).and_then(Value::as_str);
        message.is_some_and(|message| message.contains(NOT_FOUND))
    };
    matches!(answer.status, MISSING | BROKEN) && says_so()
}
