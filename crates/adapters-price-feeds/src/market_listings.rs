//! The listings of a marketplace as a feed that a server reads for its workspaces, or does not read, because its settings forbid it.
//!
//! `CSFloat` is the only one so far. Its listings are read with a key of the operator, in dollars.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tradepost_adapters_outside::{ClientError, Egress, Question, Route, ServiceAnswer, ServiceClient, ServiceLimits};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::marketplace::{ListingFeed, MarketListing, MarketplaceRefusal, MarketplaceResult};
use tradepost_ports::price_source::{FeedUnavailable, PriceRefusal};

use crate::answer::{NewShapes, failure, usable};
use crate::csfloat::{self, Found};
use crate::source::Source;

/// The time between two reads: the budget has calls for single listings in addition.
const INTERVAL: Duration = Duration::from_secs(45);
/// The most listings of an answer. More were not asked for.
const MOST: usize = 50;
/// The fees of a buyer and of a seller, in basis points.
const FEES: (u16, u16) = (0, 200);
const FORBIDDEN: u16 = 403;
const MISSING: u16 = 404;
/// The status of every error of the service itself, and of the error for an id that is not known, which has the text.
const BROKEN: u16 = 500;
const NOT_FOUND: &str = "record not found";

/// The listings of `CSFloat`, for a server.
#[derive(Debug)]
pub struct MarketListings {
    driver: Driver,
    name: Marketplace,
    fees: FeeSchedule,
    service: Result<Connected, FeedUnavailable>,
}

/// The service that is called.
#[derive(Debug)]
struct Connected {
    client: ServiceClient,
    key: SecretString,
    new_shapes: NewShapes,
}

impl MarketListings {
    /// The limits of its calls. They are counted separately from those of price lists, as the service counts them.
    pub const LIMITS: ServiceLimits = csfloat::limits_of_listings();

    /// Listings at an address which is called only if the egress guard admits it and there is a key.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn new(egress: &Egress, address: &str, key: Option<SecretString>) -> Result<Self, ClientError> {
        Self::with_limits(egress, address, key, Self::LIMITS)
    }

    /// The same with other limits.
    ///
    /// # Errors
    /// As [`MarketListings::new`].
    pub fn with_limits(
        egress: &Egress,
        address: &str,
        key: Option<SecretString>,
        limits: ServiceLimits,
    ) -> Result<Self, ClientError> {
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        let service = match (egress.admit(address), key) {
            (Ok(address), Some(key)) => Ok(Connected {
                client: ServiceClient::new(address, &[csfloat::LISTINGS, csfloat::SINGLE], limits)?,
                key,
                new_shapes: NewShapes::default(),
            }),
            (Ok(_), None) => {
                Err(FeedUnavailable("it is not called: the setting outside.keys.csfloat is missing".to_owned()))
            }
            (Err(refused), _) => Err(FeedUnavailable(format!("it is not called: {refused}"))),
        };
        // These are texts and shares: a test reads them.
        let driver = Source::CsFloat.driver().map_err(|error| ClientError::other(&error))?;
        let name = Marketplace::new(csfloat::NAME).map_err(|error| ClientError::other(&error))?;
        let (buying, selling) = FEES;
        let fees = FeeSchedule { buying: share_of(buying)?, selling: share_of(selling)?, overrides: Vec::new() };
        Ok(Self { driver, name, fees, service })
    }

    fn connected(&self) -> MarketplaceResult<&Connected> {
        let service = self.service.as_ref();
        service.map_err(|unavailable| ExternalError::Rejected(MarketplaceRefusal::Other(unavailable.to_string())))
    }
}

/// A fee that is a share of the price. How the service rounds it is not documented: a cent more is expected rather than one too few.
fn share_of(basis_points: u16) -> Result<FeeRate, ClientError> {
    let share = BasisPoints::new(basis_points).map_err(|error| ClientError::other(&error))?;
    Ok(FeeRate { share, minimum: VenueCents::ZERO, rounding: Rounding::Ceil })
}

impl Connected {
    async fn ask(
        &self,
        route: Route,
        id: Option<&ExternalId>,
        query: &[(&str, &str)],
    ) -> MarketplaceResult<ServiceAnswer> {
        let headers = vec![("authorization", self.key.expose_secret().trim().to_owned())];
        let question = Question { id: id.map(ExternalId::as_str), headers, ..Question::of(route, query) };
        self.client.ask(question).await.map_err(|error| of_marketplace(failure(&error)))
    }
}

/// The body of an answer that may hold listings. The service forbids them to callers without a key, and to those whose key was deleted.
fn allowed(answer: ServiceAnswer) -> MarketplaceResult<Vec<u8>> {
    if answer.status == FORBIDDEN {
        return Err(ExternalError::AuthLost { effect: Effect::Nothing });
    }
    usable(answer).map_err(of_marketplace)
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

/// The same failure, as one of a marketplace.
fn of_marketplace(failed: ExternalError<PriceRefusal>) -> ExternalError<MarketplaceRefusal> {
    match failed {
        ExternalError::Rejected(refusal) => ExternalError::Rejected(MarketplaceRefusal::Other(refusal.to_string())),
        ExternalError::Unknown(text) => ExternalError::Unknown(text),
        ExternalError::RateLimited { retry_after, effect } => ExternalError::RateLimited { retry_after, effect },
        ExternalError::AuthLost { effect } => ExternalError::AuthLost { effect },
    }
}

#[async_trait]
impl ListingFeed for MarketListings {
    fn driver(&self) -> &Driver {
        &self.driver
    }

    fn name(&self) -> &Marketplace {
        &self.name
    }

    fn currency(&self) -> Currency {
        Currency::USD
    }

    fn interval(&self) -> Duration {
        INTERVAL
    }

    fn ready(&self) -> Result<(), FeedUnavailable> {
        match &self.service {
            Ok(_) => Ok(()),
            Err(unavailable) => Err(unavailable.clone()),
        }
    }

    fn fees(&self) -> FeeSchedule {
        self.fees.clone()
    }

    async fn newest(&self) -> MarketplaceResult<Vec<MarketListing>> {
        let service = self.connected()?;
        let answer = service.ask(csfloat::LISTINGS, None, csfloat::NEWEST).await?;
        let Found { listings, left_out, new_shapes } = csfloat::newest(&allowed(answer)?).map_err(of_marketplace)?;
        service.new_shapes.note(new_shapes);
        if left_out > 0 {
            tracing::info!(left_out, marketplace = %self.name, "listings left out");
        }
        Ok(listings.into_iter().take(MOST).collect())
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<MarketListing> {
        let service = self.connected()?;
        let answer = service.ask(csfloat::SINGLE, Some(id), &[]).await?;
        if is_not_found(&answer) {
            return Err(ExternalError::Rejected(MarketplaceRefusal::NotFound));
        }
        let Found { listings, new_shapes, .. } = csfloat::single(&allowed(answer)?).map_err(of_marketplace)?;
        service.new_shapes.note(new_shapes);
        match listings.into_iter().next() {
            Some(listing) if listing.id == *id => Ok(listing),
            Some(_) => Err(ExternalError::Unknown("it answered another listing than the one of the id".to_owned())),
            None => {
                let text = "its listing is an auction, or has no price, id or name".to_owned();
                Err(ExternalError::Rejected(MarketplaceRefusal::Other(text)))
            }
        }
    }

    fn new_shapes(&self) -> Vec<String> {
        self.service.as_ref().map(|service| service.new_shapes.list()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use tradepost_domain::markets::provider::ProviderKind;

    use super::*;

    const KEY: &str = "a-secret-key";

    fn feed(egress: &Egress, key: Option<&str>) -> MarketListings {
        MarketListings::new(egress, Source::CsFloat.address(), key.map(SecretString::from)).unwrap()
    }

    fn reason(egress: &Egress, key: Option<&str>) -> Option<String> {
        feed(egress, key).ready().err().map(|unavailable| unavailable.to_string())
    }

    fn admitted() -> Egress {
        Egress::new(true, ["csfloat.com".to_owned()])
    }

    #[test]
    fn a_feed_is_not_ready_until_the_operator_admits_its_host_and_gives_a_key() {
        let not_real = "it is not called: csfloat.com is a real host, and the setting outside.real is not true";
        assert_eq!(reason(&Egress::default(), Some(KEY)).as_deref(), Some(not_real));
        let not_named = "it is not called: the setting outside.hosts does not name csfloat.com";
        assert_eq!(reason(&Egress::new(true, []), Some(KEY)).as_deref(), Some(not_named));
        let no_key = "it is not called: the setting outside.keys.csfloat is missing";
        for key in [None, Some(""), Some(" ")] {
            assert_eq!(reason(&admitted(), key).as_deref(), Some(no_key), "{key:?}");
        }
        assert_eq!(reason(&admitted(), Some(KEY)), None);
    }

    #[test]
    fn a_feed_describes_itself_with_the_driver_of_its_prices_and_the_fees_of_its_documents() {
        let feed = feed(&admitted(), Some(KEY));
        assert_eq!(feed.driver().name.as_str(), feed.name().as_str());
        assert!(feed.driver().capabilities(ProviderKind::Marketplace).is_some());
        assert_eq!((feed.currency(), feed.interval()), (Currency::USD, Duration::from_secs(45)));
        let price = VenueCents::new(10_001).unwrap();
        let FeeSchedule { buying, selling, .. } = feed.fees();
        assert_eq!((buying.of(price).get(), selling.of(price).get()), (0, 201));
    }

    #[test]
    fn reads_with_one_follow_up_each_leave_a_third_of_the_budget_to_tests_of_the_provider() {
        let budget = MarketListings::LIMITS.budget;
        let reads = budget.window.as_secs() / INTERVAL.as_secs();
        assert!(2 * reads * 3 <= u64::from(budget.calls) * 2, "{reads} reads");
    }

    #[test]
    fn debug_shows_nothing_of_a_key() {
        assert!(!format!("{:?}", feed(&admitted(), Some(KEY))).contains(KEY));
    }
}
