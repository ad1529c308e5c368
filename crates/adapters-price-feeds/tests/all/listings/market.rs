//! A facade with the feed that reads its listings, and the listings of the world as each marketplace shows them.

use std::cell::Cell;
use std::sync::Arc;

use tradepost_adapters_outside::{Egress, ServiceLimits};
use tradepost_adapters_price_feeds::{DMarketKey, ListingSettings, MarketListings, OperatorKeys, Source};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_fakes::{Addresses, Fakes, Fault, FaultRule, Served, serve};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{
    ListingFeed as _, ListingStatus, MarketListing, MarketplaceRefusal, MarketplaceResult, SoughtListing,
};

use crate::scene::{ClockOf, address_of, without_pace};

pub(super) const KEY: &str = "a-secret-key";

pub(super) type Failure = ExternalError<MarketplaceRefusal>;

/// What is read of a marketplace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// The newest listings, or those with the highest discounts where there are no names.
    Newest,
    /// The listings of names.
    OfNames,
    /// The newest listing, again.
    Again,
}

/// A read at a marketplace, and its route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) of: Source,
    pub(super) read: Read,
    pub(super) route: &'static str,
}

const fn case(of: Source, read: Read, route: &'static str) -> Case {
    Case { of, read, route }
}

pub(super) const CSFLOAT_NEWEST: Case = case(Source::CsFloat, Read::Newest, "GET /api/v1/listings");
pub(super) const CSFLOAT_AGAIN: Case = case(Source::CsFloat, Read::Again, "GET /api/v1/listings/{id}");
pub(super) const DMARKET_NEWEST: Case = case(Source::DMarket, Read::Newest, "GET /marketplace-api/v2/offers");
pub(super) const DMARKET_AGAIN: Case = case(Source::DMarket, Read::Again, "GET /marketplace-api/v2/offers");
pub(super) const MARKET_CSGO_OF_NAMES: Case =
    case(Source::MarketCsgo, Read::OfNames, "GET /api/v2/search-list-items-by-hash-name-all");
pub(super) const MARKET_CSGO_AGAIN: Case =
    case(Source::MarketCsgo, Read::Again, "GET /api/v2/search-item-by-hash-name-specific");
pub(super) const WAXPEER_NEWEST: Case = case(Source::Waxpeer, Read::Newest, "GET /v1/get-items-list");
pub(super) const WAXPEER_OF_NAMES: Case = case(Source::Waxpeer, Read::OfNames, "POST /v1/mass-info");
pub(super) const WAXPEER_AGAIN: Case = case(Source::Waxpeer, Read::Again, "GET /v1/check-availability");
/// Every read of every marketplace.
pub(super) const CASES: [Case; 9] = [
    CSFLOAT_NEWEST,
    CSFLOAT_AGAIN,
    DMARKET_NEWEST,
    DMARKET_AGAIN,
    MARKET_CSGO_OF_NAMES,
    MARKET_CSGO_AGAIN,
    WAXPEER_NEWEST,
    WAXPEER_OF_NAMES,
    WAXPEER_AGAIN,
];

pub(super) struct Market {
    pub(super) of: Source,
    pub(super) fakes: Fakes,
    pub(super) feed: MarketListings,
    /// The newest listing.
    pub(super) first: SoughtListing,
    has_asked_names: Cell<bool>,
    _served: Served,
}

/// Keys of every marketplace.
pub(super) fn keys() -> OperatorKeys {
    let dmarket = DMarketKey::parse(&Fakes::dmarket_key().into()).unwrap();
    let key = || Some(KEY.into());
    OperatorKeys { csfloat: key(), dmarket: Some(dmarket), market_csgo: key(), waxpeer: key() }
}

/// The limits of a marketplace for its listings.
pub(super) fn limits(of: Source) -> ServiceLimits {
    of.listing_limits().unwrap()
}

impl Market {
    pub(super) async fn new(of: Source) -> Self {
        Self::with(of, &keys(), time::Duration::ZERO).await
    }

    pub(super) async fn with(of: Source, keys: &OperatorKeys, clock_is_off_by: time::Duration) -> Self {
        let fakes = Fakes::of_seed(7).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let clock = Arc::new(ClockOf(fakes.clone(), clock_is_off_by));
        let egress = Egress::default();
        let settings = ListingSettings { egress: &egress, address: address_of(&served, of), keys, clock };
        let feed = MarketListings::with_limits(of, settings, without_pace(limits(of))).unwrap();
        let newest = fakes.simulator().world(|world| world.newest_listings(1)).into_iter().next().unwrap();
        let first = sought(&as_shown(of, Read::Again, newest));
        Self { of, fakes, feed, first, has_asked_names: Cell::new(false), _served: served }
    }

    pub(super) async fn read(&self, read: Read) -> MarketplaceResult<Vec<MarketListing>> {
        match read {
            Read::Newest => self.feed.newest().await,
            Read::OfNames => {
                // At Waxpeer it is the turn of the highest discounts after all names, whatever comes of that.
                if self.has_asked_names.replace(true) && self.of == Source::Waxpeer {
                    drop(self.feed.newest().await);
                }
                self.feed.watch(&self.names());
                self.feed.newest().await
            }
            Read::Again => Ok(vec![self.feed.listing(&self.first).await?]),
        }
    }

    /// Lets this happen to the next call of the route of a read, and returns the result of the read.
    pub(super) async fn read_with(&self, case: Case, fault: Fault) -> MarketplaceResult<Vec<MarketListing>> {
        self.fakes.arm(vec![FaultRule::next(case.route, fault)]);
        self.read(case.read).await
    }

    /// The names of all that is on sale.
    pub(super) fn names(&self) -> Vec<MarketHashName> {
        let mut names: Vec<MarketHashName> =
            self.world().into_iter().map(|listing| listing.offered.variant.market_hash_name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What is on sale in the world, the newest first.
    pub(super) fn world(&self) -> Vec<MarketListing> {
        self.fakes.simulator().world(|world| world.newest_listings(usize::MAX))
    }

    /// What a read has to return, by id.
    pub(super) fn expected(&self, read: Read) -> Vec<MarketListing> {
        let most = match self.of {
            Source::CsFloat => 50,
            Source::DMarket => 100,
            Source::Waxpeer | Source::Skinport | Source::MarketCsgo | Source::SteamMarket => usize::MAX,
        };
        let is_flat = (self.fakes.now().as_micros() / 3_600_000_000).rem_euclid(2) == 0;
        let is_without_wear = self.of == Source::Waxpeer && read == Read::OfNames && !is_flat;
        let shown = self.world().into_iter().take(most).map(|listing| as_shown(self.of, read, listing));
        by_id(shown.map(|listing| if is_without_wear { without_wear(listing) } else { listing }))
    }

    /// The calls of a route so far.
    pub(super) fn calls(&self, route: &str) -> usize {
        self.fakes.ledger().iter().filter(|entry| entry.route == route).count()
    }

    /// The routes and queries that were called, in order.
    pub(super) fn asked(&self) -> Vec<(String, String)> {
        self.fakes.ledger().into_iter().map(|entry| (entry.route, entry.query)).collect()
    }
}

/// Listings in the order of their ids.
pub(super) fn by_id(listings: impl IntoIterator<Item = MarketListing>) -> Vec<MarketListing> {
    let mut listings: Vec<MarketListing> = listings.into_iter().collect();
    listings.sort_by(|one, other| one.id.cmp(&other.id));
    listings
}

/// A listing that is to be read again.
pub(super) fn sought(listing: &MarketListing) -> SoughtListing {
    SoughtListing { id: listing.id.clone(), market_hash_name: listing.offered.variant.market_hash_name.clone() }
}

/// A listing of the world as a marketplace shows it.
pub(super) fn as_shown(of: Source, read: Read, mut listing: MarketListing) -> MarketListing {
    let number: u32 = listing.id.as_str().parse().unwrap();
    let offered = &mut listing.offered;
    match of {
        Source::CsFloat => {
            offered.charms.clear();
            offered.seller_success = (!number.is_multiple_of(3)).then(|| BasisPoints::new(9_583).unwrap());
        }
        Source::DMarket => {
            offered.stickers.iter_mut().for_each(|sticker| sticker.wear = sticker.wear.or(Some(FloatValue::MIN)));
            offered.trade_lock_days = if number.is_multiple_of(4) { 4 } else { 0 };
            if number.is_multiple_of(7) {
                listing.status = ListingStatus::Other(0);
            }
        }
        Source::Waxpeer => {
            offered.stickers.clear();
            offered.charms.clear();
            (offered.rarity, offered.paint_seed) = (None, None);
            if read != Read::OfNames {
                (offered.variant.phase, offered.paint_index) = (None, None);
            }
            if read == Read::Again {
                offered.float_value = None;
            }
            listing.id = ExternalId::new(listing.asset_id.as_str()).unwrap();
        }
        Source::MarketCsgo => {
            offered.stickers.clear();
            offered.charms.clear();
            offered.rarity = None;
        }
        Source::Skinport | Source::SteamMarket => panic!("its listings are not read"),
    }
    listing
}

/// A listing in the form of an answer that has no wear.
fn without_wear(mut listing: MarketListing) -> MarketListing {
    listing.offered.float_value = None;
    listing
}
