//! The listings of a marketplace as a feed that a server reads for its workspaces, or does not read, because its settings forbid it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tradepost_adapters_outside::{ClientError, Egress, ServiceAddress, ServiceLimits};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::provider::Driver;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{
    ListingFeed, MarketListing, MarketStanding, MarketplaceRefusal, MarketplaceResult, OwnAccount, SoughtListing,
};
use tradepost_ports::price_source::FeedUnavailable;

use crate::answer::NewShapes;
use crate::csfloat::{CsFloatAccount, CsFloatListings};
use crate::dmarket::{DMarketAccount, DMarketOffers};
use crate::keys::{OperatorKeys, given};
use crate::listing_market::{Found, ListingManner, ListingMarket};
use crate::market_csgo::MarketCsgoListings;
use crate::own_account::{AccountReader, ReadAccount};
use crate::source::Source;
use crate::waxpeer::{WaxpeerAccount, WaxpeerListings};

/// What a feed of listings is made of.
pub struct ListingSettings<'a> {
    /// The services that may be called.
    pub egress: &'a Egress,
    /// Where the marketplace is.
    pub address: &'a str,
    /// The keys; each marketplace uses its own.
    pub keys: &'a OperatorKeys,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

/// The listings of a marketplace, for a server. All are in dollars.
#[derive(Debug)]
pub struct MarketListings {
    manner: &'static ListingManner,
    driver: Driver,
    name: Marketplace,
    fees: FeeSchedule,
    service: Result<Connected, FeedUnavailable>,
    reads_account: bool,
}

/// The marketplace that is called.
#[derive(Debug)]
struct Connected {
    market: Box<dyn ListingMarket>,
    account: Option<Box<dyn AccountReader>>,
    new_shapes: NewShapes,
}

/// The source has no listings that are read.
#[derive(Debug, thiserror::Error)]
#[error("the listings of {0} are not read")]
struct NotListed(&'static str);

impl MarketListings {
    /// Listings at an address which is called only if the egress guard admits it and there is a key.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up, or the source is not one of [`Source::LISTED`].
    pub fn new(of: Source, settings: ListingSettings<'_>) -> Result<Self, ClientError> {
        Self::with_limits(of, settings, manner_of(of)?.limits)
    }

    /// The same with other limits.
    ///
    /// # Errors
    /// As [`MarketListings::new`].
    pub fn with_limits(of: Source, settings: ListingSettings<'_>, limits: ServiceLimits) -> Result<Self, ClientError> {
        let manner = manner_of(of)?;
        let service = match settings.egress.admit(settings.address) {
            Ok(address) => {
                let account = connect_account(of, address.clone(), limits, &settings)?;
                match connect(of, address, limits, settings)? {
                    Some(market) => Ok(Connected { market, account, new_shapes: NewShapes::default() }),
                    None => Err(FeedUnavailable(format!("it is not called: the setting {} is missing", manner.key))),
                }
            }
            Err(refused) => Err(FeedUnavailable(format!("it is not called: {refused}"))),
        };
        // These are texts and shares: a test reads them.
        let driver = of.driver().map_err(|error| ClientError::other(&error))?;
        let name = Marketplace::new(of.name()).map_err(|error| ClientError::other(&error))?;
        let (buying, selling) = manner.fees;
        let fees = FeeSchedule { buying: share_of(buying)?, selling: share_of(selling)?, overrides: Vec::new() };
        Ok(Self { manner, driver, name, fees, service, reads_account: false })
    }

    /// Reads the account behind the key as well, where the marketplace shows it. Every workspace with a provider of the marketplace sees what
    /// the account has there.
    #[must_use]
    pub fn reading_account(self) -> Self {
        Self { reads_account: true, ..self }
    }

    fn connected(&self) -> MarketplaceResult<&Connected> {
        let service = self.service.as_ref();
        service.map_err(|unavailable| ExternalError::Rejected(MarketplaceRefusal::Other(unavailable.to_string())))
    }
}

fn manner_of(source: Source) -> Result<&'static ListingManner, ClientError> {
    source.listings().ok_or_else(|| ClientError::other(&NotListed(source.name())))
}

/// The marketplace; `None` if there is no key of it.
fn connect(
    of: Source,
    address: ServiceAddress,
    limits: ServiceLimits,
    settings: ListingSettings<'_>,
) -> Result<Option<Box<dyn ListingMarket>>, ClientError> {
    let ListingSettings { keys, clock, .. } = settings;
    match of {
        Source::CsFloat => {
            given(keys.csfloat.as_ref()).map(|key| boxed(CsFloatListings::connect(address, limits, key))).transpose()
        }
        Source::DMarket => {
            let key = keys.dmarket.clone();
            key.map(|key| boxed(DMarketOffers::connect(address, limits, key, clock))).transpose()
        }
        Source::Waxpeer => {
            given(keys.waxpeer.as_ref()).map(|key| boxed(WaxpeerListings::connect(address, limits, key))).transpose()
        }
        Source::MarketCsgo => {
            let key = given(keys.market_csgo.as_ref());
            key.map(|key| boxed(MarketCsgoListings::connect(address, limits, key))).transpose()
        }
        Source::Skinport | Source::SteamMarket => Ok(None),
    }
}

/// The account behind the key; `None` if there is no key, or the account is not read. Its calls have a budget of their own, of the same size.
fn connect_account(
    of: Source,
    address: ServiceAddress,
    limits: ServiceLimits,
    settings: &ListingSettings<'_>,
) -> Result<Option<Box<dyn AccountReader>>, ClientError> {
    match of {
        Source::CsFloat => {
            let Some(key) = given(settings.keys.csfloat.as_ref()) else { return Ok(None) };
            Ok(Some(Box::new(CsFloatAccount::connect(address, limits, key)?)))
        }
        Source::DMarket => {
            let Some(key) = settings.keys.dmarket.clone() else { return Ok(None) };
            Ok(Some(Box::new(DMarketAccount::connect(address, limits, key, settings.clock.clone())?)))
        }
        Source::Waxpeer => {
            let Some(key) = given(settings.keys.waxpeer.as_ref()) else { return Ok(None) };
            Ok(Some(Box::new(WaxpeerAccount::connect(address, limits, key)?)))
        }
        Source::Skinport | Source::MarketCsgo | Source::SteamMarket => Ok(None),
    }
}

fn boxed(connected: Result<impl ListingMarket + 'static, ClientError>) -> Result<Box<dyn ListingMarket>, ClientError> {
    connected.map(|market| Box::new(market) as Box<dyn ListingMarket>)
}

/// A fee that is a share of the price. How the marketplaces round it is not documented: a cent more is expected rather than one too few.
fn share_of(basis_points: u16) -> Result<FeeRate, ClientError> {
    let share = BasisPoints::new(basis_points).map_err(|error| ClientError::other(&error))?;
    Ok(FeeRate { share, minimum: VenueCents::ZERO, rounding: Rounding::Ceil })
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
        self.manner.interval
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

    fn watches(&self) -> bool {
        self.manner.watches
    }

    fn watch(&self, names: &[MarketHashName]) {
        if let Ok(service) = &self.service {
            service.market.watch(names);
        }
    }

    async fn newest(&self) -> MarketplaceResult<Vec<MarketListing>> {
        let service = self.connected()?;
        let Found { listings, left_out, new_shapes } = service.market.newest().await?;
        service.new_shapes.note(new_shapes);
        if left_out > 0 {
            tracing::info!(left_out, marketplace = %self.name, "listings left out");
        }
        Ok(listings.into_iter().take(self.manner.most).collect())
    }

    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<MarketListing> {
        let service = self.connected()?;
        let Found { listings, left_out, new_shapes } = service.market.listing(sought).await?;
        service.new_shapes.note(new_shapes);
        match listings.into_iter().find(|listing| listing.id == sought.id) {
            Some(listing) => Ok(listing),
            None if left_out > 0 => {
                let text = "its listing is an auction, or has no price, id or name".to_owned();
                Err(ExternalError::Rejected(MarketplaceRefusal::Other(text)))
            }
            None => Err(ExternalError::Unknown("it answered another listing than the one of the id".to_owned())),
        }
    }

    fn account(&self) -> Option<&dyn MarketStanding> {
        let service = self.service.as_ref().ok().filter(|_| self.reads_account)?;
        service.account.as_ref().map(|_| self as &dyn MarketStanding)
    }

    fn new_shapes(&self) -> Vec<String> {
        self.service.as_ref().map(|service| service.new_shapes.list()).unwrap_or_default()
    }
}

#[async_trait]
impl MarketStanding for MarketListings {
    async fn own_account(&self) -> MarketplaceResult<OwnAccount> {
        let service = self.connected()?;
        let Some(reader) = &service.account else {
            let text = "the account there is not read".to_owned();
            return Err(ExternalError::Rejected(MarketplaceRefusal::Other(text)));
        };
        let ReadAccount { account, new_shapes } = reader.read().await?;
        service.new_shapes.note(new_shapes);
        Ok(account)
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;
    use tradepost_domain::markets::provider::ProviderKind;
    use tradepost_domain::time::Timestamp;

    use super::*;
    use crate::dmarket_key::DMarketKey;

    const KEY: &str = "a-secret-key";
    const KEY_OF_DMARKET: &str = concat!(
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    );

    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp::MIN
        }
    }

    fn keys() -> OperatorKeys {
        let dmarket = DMarketKey::parse(&SecretString::from(KEY_OF_DMARKET)).unwrap();
        let key = || Some(KEY.into());
        OperatorKeys { csfloat: key(), dmarket: Some(dmarket), market_csgo: key(), waxpeer: key() }
    }

    fn feed(of: Source, egress: &Egress, keys: &OperatorKeys) -> MarketListings {
        let settings = ListingSettings { egress, address: of.address(), keys, clock: Arc::new(Still) };
        MarketListings::new(of, settings).unwrap()
    }

    fn host(of: Source) -> String {
        of.address().trim_start_matches("https://").to_owned()
    }

    fn admitted() -> Egress {
        Egress::new(true, Source::LISTED.map(host))
    }

    #[test]
    fn a_feed_is_not_ready_until_the_operator_admits_its_host_and_gives_a_key() {
        for of in Source::LISTED {
            let reason = |egress: &Egress, keys: &OperatorKeys| {
                feed(of, egress, keys).ready().err().map(|unavailable| unavailable.to_string())
            };
            let host = host(of);
            let not_real = format!("it is not called: {host} is a real host, and the setting outside.real is not true");
            assert_eq!(reason(&Egress::default(), &keys()), Some(not_real));
            let not_named = format!("it is not called: the setting outside.hosts does not name {host}");
            assert_eq!(reason(&Egress::new(true, []), &keys()), Some(not_named));
            let setting = of.name().replace('-', "_");
            let no_key = format!("it is not called: the setting outside.keys.{setting} is missing");
            for blank in [None, Some(""), Some(" ")] {
                let key = || blank.map(SecretString::from);
                let keys = OperatorKeys { csfloat: key(), dmarket: None, market_csgo: key(), waxpeer: key() };
                assert_eq!(reason(&admitted(), &keys), Some(no_key.clone()), "{blank:?}");
            }
            assert_eq!(reason(&admitted(), &keys()), None);
        }
    }

    #[test]
    fn a_feed_describes_itself_with_the_driver_of_its_prices_and_the_fees_of_its_documents() {
        let price = VenueCents::new(10_001).unwrap();
        for (of, fee, is_by_name) in [
            (Source::CsFloat, 201, false),
            (Source::DMarket, 1_001, false),
            (Source::Waxpeer, 601, true),
            (Source::MarketCsgo, 501, true),
        ] {
            let feed = feed(of, &admitted(), &keys());
            assert_eq!(feed.driver().name.as_str(), feed.name().as_str());
            assert!(feed.driver().capabilities(ProviderKind::Marketplace).is_some());
            assert_eq!((feed.currency(), feed.interval()), (Currency::USD, Duration::from_secs(45)));
            let FeeSchedule { buying, selling, .. } = feed.fees();
            assert_eq!((buying.of(price).get(), selling.of(price).get()), (0, fee), "{of:?}");
            assert_eq!(feed.watches(), is_by_name, "{of:?}");
        }
    }

    #[test]
    fn a_source_whose_listings_are_not_read_makes_no_feed() {
        let (egress, keys) = (Egress::default(), OperatorKeys::default());
        for of in Source::ALL.into_iter().filter(|source| !Source::LISTED.contains(source)) {
            let settings =
                ListingSettings { egress: &egress, address: of.address(), keys: &keys, clock: Arc::new(Still) };
            let failed = MarketListings::new(of, settings).unwrap_err().to_string();
            assert!(failed.ends_with(&format!("the listings of {} are not read", of.name())), "{failed}");
        }
    }

    #[test]
    fn debug_shows_nothing_of_a_key() {
        for of in Source::LISTED {
            let shown = format!("{:?}", feed(of, &admitted(), &keys()));
            assert!(!shown.contains(KEY) && !shown.contains(KEY_OF_DMARKET.split_at(64).0), "{shown}");
        }
        assert!(!format!("{:?}", keys()).contains(KEY));
    }
}
