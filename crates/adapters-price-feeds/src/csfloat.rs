//! `CSFloat`: the lowest price that is asked there for each kind of item, what is bid for some, and its listings. Its public list is read
//! without a key. Bids and listings are read with a key of the operator, and nothing is bought or listed there.

mod account;
mod bids;
mod list;
mod listings;
mod on_sale;

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_outside::{ClientError, Route, ServiceLimits};

use crate::keys::given;
use crate::listed::{List, Listed, Manner, limits_of_a_list};
use crate::listing_market::ListingManner;
use crate::service::{Connection, Service};
use bids::CsFloatBids;

pub(crate) use account::CsFloatAccount;
pub(crate) use listings::CsFloatListings;

pub(crate) const NAME: &str = "csfloat";
const PRICE_LIST: Route = Route::get("/api/v1/listings/price-list");
/// The header with the key.
const KEY: &str = "authorization";

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &["USD"],
    routes: &[PRICE_LIST],
    asks: List { question: |_| (PRICE_LIST, Vec::new()), read: list::read },
    bids: None,
};

pub(crate) const LISTED: ListingManner = ListingManner {
    limits: limits_of_listings(),
    interval: Duration::from_secs(45),
    most: 50,
    fees: (0, 200),
    watches: false,
    key: "outside.keys.csfloat",
};

/// Its limit is not documented. It shows what is left in headers, which are obeyed.
pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(2, Duration::from_mins(5), Duration::from_secs(1))
}

/// How often it is called for bids. What its limit of them is, it shows in headers as well.
pub(crate) const fn limits_of_bids() -> ServiceLimits {
    // The best ten orders of a name have some 2 KiB.
    let limits = limits_of_a_list(20, Duration::from_mins(5), Duration::from_secs(1));
    ServiceLimits { answer_bytes: 256 * 1024, ..limits }
}

/// Its listings have a limit of their own, which is tighter than those of its other routes. It shows what is left in headers.
const fn limits_of_listings() -> ServiceLimits {
    // A page of 50 listings has about 100 KiB.
    let limits = limits_of_a_list(20, Duration::from_mins(5), Duration::from_secs(1));
    ServiceLimits { answer_bytes: 1024 * 1024, ..limits }
}

/// Connects its prices, with the bids of names if there is a key.
pub(crate) fn connect(connection: Connection) -> Result<Box<dyn Service>, ClientError> {
    let bids = match given(connection.keys.csfloat.as_ref()) {
        Some(key) => {
            let (address, clock) = (connection.address.clone(), connection.clock.clone());
            Some(CsFloatBids::connect(address, connection.bid_limits, key, clock)?)
        }
        None => None,
    };
    let listed = Listed::connect(&MANNER, connection)?;
    Ok(match bids {
        Some(bids) => Box::new(listed.with_bids(Arc::new(bids))),
        None => Box::new(listed),
    })
}
